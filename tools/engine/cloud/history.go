package main

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// history has the updates that users see, the newest first.
func (s *stack) history() []*update {
	seen := []*update{}
	for _, each := range slices.Backward(s.updates) {
		if !each.dryRun && each.status != apitype.StatusNotStarted {
			seen = append(seen, each)
		}
	}
	return seen
}

func (s *stack) atVersion(version string) (*update, error) {
	for _, each := range s.history() {
		if strconv.Itoa(each.version) == version {
			return each, nil
		}
	}
	return nil, failure(http.StatusNotFound, "Not Found: Update '%s' not found", version)
}

func getHistory(_ *server, r request, found *stack) (any, error) {
	history := found.history()
	if size, _ := strconv.Atoi(r.URL.Query().Get("pageSize")); size > 0 {
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		first := min(size*(max(page, 1)-1), len(history))
		history = history[first:min(first+size, len(history))]
	}
	updates := []apitype.UpdateInfo{}
	for _, each := range history {
		updates = append(updates, each.described())
	}
	return apitype.GetHistoryResponse{Updates: updates}, nil
}

type updateAnswer struct {
	Info     apitype.UpdateInfo `json:"info"`
	UpdateID string             `json:"updateID"`
	Version  int                `json:"version"`
}

func getLatestUpdate(_ *server, _ request, found *stack) (any, error) {
	history := found.history()
	if len(history) == 0 {
		return nil, failure(http.StatusNotFound, "Not Found: Stack '%s' has no updates", found.path())
	}
	return updateAnswer{history[0].described(), history[0].id, history[0].version}, nil
}

func getUpdateByVersion(_ *server, r request, found *stack) (any, error) {
	update, err := found.atVersion(r.PathValue("version"))
	if err != nil {
		return nil, err
	}
	return updateAnswer{update.described(), update.id, update.version}, nil
}

func getPreviews(_ *server, _ request, found *stack) (any, error) {
	previews := []apitype.StackPreview{}
	for _, each := range slices.Backward(found.updates) {
		if each.dryRun {
			previews = append(previews, apitype.StackPreview{UpdateID: each.id})
		}
	}
	return apitype.GetLatestStackPreviewsResponse{Updates: previews}, nil
}
