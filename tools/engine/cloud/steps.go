package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/pulumi/pulumi/pkg/v3/backend"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// state is the deployment with each step that was stored, whatever became of the update.
func (u *update) state() (apitype.UntypedDeployment, error) {
	if u.replayed != nil {
		return *u.replayed, nil
	}
	deployment, err := u.replay()
	if err == nil {
		u.replayed = &deployment
	}
	return deployment, err
}

func (u *update) replay() (apitype.UntypedDeployment, error) {
	if len(u.checkpoint) > 0 {
		var deployment apitype.UntypedDeployment
		return deployment, json.Unmarshal(u.checkpoint, &deployment)
	}
	if len(u.journal) == 0 {
		return u.base, nil
	}
	base, err := parse(u.base)
	if err != nil {
		return u.base, err
	}
	replayer := backend.NewJournalReplayer(base)
	for _, entry := range u.journal {
		// The replayer changes the states that it is given.
		if entry.State != nil {
			state := *entry.State
			entry.State = &state
		}
		if err := replayer.Add(entry); err != nil {
			return u.base, err
		}
	}
	typed, err := replayer.GenerateDeployment()
	if err != nil {
		return u.base, err
	}
	text, err := json.Marshal(typed.Deployment)
	return apitype.UntypedDeployment{Version: typed.Version, Features: typed.Features, Deployment: text}, err
}

func patchJournalEntries(_ *server, r request, _ *stack, target *update) (any, error) {
	var sent apitype.JournalEntries
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	if err := target.requireRunning(); err != nil {
		return nil, err
	}
	for _, entry := range sent.Entries {
		at, known := slices.BinarySearchFunc(target.journal, entry, func(a, b apitype.JournalEntry) int {
			return int(a.SequenceID - b.SequenceID)
		})
		if !known {
			target.journal = slices.Insert(target.journal, at, entry)
		}
	}
	target.replayed = nil
	return nil, nil
}

func (u *update) save(checkpoint json.RawMessage) (any, error) {
	if err := u.requireRunning(); err != nil {
		return nil, err
	}
	u.checkpoint, u.replayed = checkpoint, nil
	_, err := u.state()
	return nil, err
}

func patchCheckpoint(_ *server, r request, _ *stack, target *update) (any, error) {
	var sent apitype.PatchUpdateCheckpointRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	text, err := json.Marshal(apitype.UntypedDeployment{
		Version: sent.Version, Features: sent.Features, Deployment: sent.Deployment,
	})
	if err != nil {
		return nil, err
	}
	return target.save(text)
}

func patchCheckpointVerbatim(_ *server, r request, _ *stack, target *update) (any, error) {
	var sent apitype.PatchUpdateVerbatimCheckpointRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	return target.save(sent.UntypedDeployment)
}

// patchCheckpointDelta applies changes of the last checkpoint's text, by byte.
func patchCheckpointDelta(_ *server, r request, _ *stack, target *update) (any, error) {
	var sent apitype.PatchUpdateCheckpointDeltaRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	var edits []struct {
		Span struct {
			Start, End struct{ Offset int }
		}
		NewText string
	}
	if err := json.Unmarshal(sent.DeploymentDelta, &edits); err != nil {
		return nil, failure(http.StatusBadRequest, "Bad Request: %v", err)
	}
	var changed bytes.Buffer
	kept := 0
	for _, each := range edits {
		start, end := each.Span.Start.Offset, each.Span.End.Offset
		if start < kept || end < start || end > len(target.checkpoint) {
			return nil, failure(http.StatusBadRequest, "Bad Request: the delta is not one of the last checkpoint")
		}
		changed.Write(target.checkpoint[kept:start])
		changed.WriteString(each.NewText)
		kept = end
	}
	changed.Write(target.checkpoint[kept:])
	hash := sha256.Sum256(changed.Bytes())
	if hex.EncodeToString(hash[:]) != sent.CheckpointHash {
		return nil, failure(http.StatusBadRequest, "Bad Request: the checkpoint's hash is another one")
	}
	return target.save(changed.Bytes())
}
