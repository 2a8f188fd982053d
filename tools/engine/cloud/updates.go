package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/pulumi/pulumi/pkg/v3/backend"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// A lease lasts this long. The CLI renews it after half of the time.
const lease = 300 * time.Second

type update struct {
	id      string
	kind    apitype.UpdateKind
	started int64
	dryRun  bool
	status  apitype.UpdateStatus
	// Ended by `pulumi cancel`, or by the next update.
	abandoned bool
	version   int
	// The end of its lease. The token of the lease is the id.
	until time.Time
	// The stack's deployment at the start.
	base apitype.UntypedDeployment
	// Sorted by their sequence. The CLI sends an entry again if its answer was lost.
	journal []apitype.JournalEntry
}

// state is the deployment with each step that was stored, whatever became of the update. The CLI's own code replays them.
func (u *update) state() apitype.UntypedDeployment {
	if len(u.journal) == 0 {
		return u.base
	}
	replayer := backend.NewJournalReplayer(parse(u.base))
	for _, entry := range u.journal {
		// The replayer changes the states that it is given.
		if entry.State != nil {
			state := *entry.State
			entry.State = &state
		}
		if err := replayer.Add(entry); err != nil {
			panic(err)
		}
	}
	typed, err := replayer.GenerateDeployment()
	if err != nil {
		panic(err)
	}
	text, _ := json.Marshal(typed.Deployment)
	return apitype.UntypedDeployment{Version: typed.Version, Features: typed.Features, Deployment: text}
}

func (s *server) add(found *stack, kind apitype.UpdateKind) *update {
	made := &update{id: s.id(), kind: kind, started: time.Now().Unix(), status: apitype.StatusNotStarted}
	found.updates = append(found.updates, made)
	return made
}

func (s *server) begin(found *stack, started *update) {
	started.status, started.base, started.version = apitype.StatusRunning, found.deployment, found.version
	started.until = time.Now().Add(lease)
	if !started.dryRun {
		started.version++
		found.running, found.activeUpdate = started, started.id
	}
}

// end keeps what was stored of an update, also of one that failed.
func (s *server) end(found *stack, ended *update, status apitype.UpdateStatus) {
	ended.status = status
	if !ended.dryRun {
		found.deployment, found.version, found.running = ended.state(), ended.version, nil
	}
}

// free refuses while another update has its lease. One whose lease has ended is ended, and its steps stay.
func (s *server) free(found *stack) {
	if found.running != nil {
		if time.Now().Before(found.running.until) {
			refuse(http.StatusConflict, "Conflict: Another update is currently in progress.")
		}
		s.abandon(found)
	}
}

// abandon ends the update that holds the stack. Whatever it sends from now on is refused.
func (s *server) abandon(found *stack) {
	found.running.abandoned = true
	s.end(found, found.running, apitype.StatusFailed)
}

func (s *stack) update(r request) *update {
	return s.updates[slices.IndexFunc(s.updates, func(each *update) bool { return each.id == r.PathValue("update") })]
}

// leased is for the requests of a running update, which carry the token of its lease.
func leased(handle func(*server, request, *stack, *update) any) handler {
	return func(s *server, r request) any {
		found := s.find(r)
		target := found.update(r)
		if target.abandoned || bearer(r, "update-token") != target.id || time.Now().After(target.until) {
			refuse(http.StatusForbidden, "The provided update token has expired.")
		}
		return handle(s, r, found, target)
	}
}

func createUpdate(s *server, r request, found *stack) any {
	made := s.add(found, apitype.UpdateKind(r.PathValue("kind")))
	made.dryRun = decode[apitype.UpdateProgramRequest](r).Options.DryRun || made.kind == apitype.PreviewUpdate
	return apitype.UpdateProgramResponse{UpdateID: made.id}
}

func startUpdate(s *server, r request, found *stack) any {
	target := found.update(r)
	if !target.dryRun {
		s.free(found)
	}
	s.begin(found, target)
	return apitype.StartUpdateResponse{
		Version: target.version, Token: target.id, TokenExpiration: target.until.Unix(),
		JournalVersion: min(decode[apitype.StartUpdateRequest](r).JournalVersion, 1),
	}
}

func renewLease(s *server, _ request, _ *stack, target *update) any {
	target.until = time.Now().Add(lease)
	return apitype.RenewUpdateLeaseResponse{Token: target.id, TokenExpiration: target.until.Unix()}
}

func patchJournalEntries(_ *server, r request, found *stack, target *update) any {
	for _, entry := range decode[apitype.JournalEntries](r).Entries {
		at, known := slices.BinarySearchFunc(target.journal, entry, func(a, b apitype.JournalEntry) int {
			return int(a.SequenceID - b.SequenceID)
		})
		if !known {
			target.journal = slices.Insert(target.journal, at, entry)
		}
	}
	return nil
}

func completeUpdate(s *server, r request, found *stack, target *update) any {
	if target.status == apitype.StatusRunning {
		s.end(found, target, decode[apitype.CompleteUpdateRequest](r).Status)
	}
	return nil
}

func getUpdateStatus(_ *server, r request, found *stack) any {
	return apitype.UpdateResults{Status: found.update(r).status, Events: []apitype.UpdateEvent{}}
}

func cancelUpdate(s *server, r request, found *stack) any {
	if found.running == nil || found.running != found.update(r) {
		refuse(http.StatusConflict, "Conflict: The Update has already completed")
	}
	s.abandon(found)
	return nil
}
