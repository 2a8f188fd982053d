package main

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// A lease lasts this long at most. The CLI renews it after half of the time.
const longestLease = 300 * time.Second

type update struct {
	id     string
	info   apitype.UpdateInfo
	dryRun bool
	status apitype.UpdateStatus
	// Ended by `pulumi cancel`, or by the next update after its lease.
	abandoned bool
	version   int
	// Each lease token until when it is valid.
	tokens map[string]time.Time
	// The stack's deployment at the start.
	base apitype.UntypedDeployment
	// Sorted by their sequence. The CLI sends an entry again if its answer was lost.
	journal []apitype.JournalEntry
	// The last checkpoint as it was sent, of which a delta is a change.
	checkpoint json.RawMessage
	replayed   *apitype.UntypedDeployment
	events     []json.RawMessage
}

func (u *update) expires() time.Time {
	var last time.Time
	for _, until := range u.tokens {
		if until.After(last) {
			last = until
		}
	}
	return last
}

func (u *update) described() apitype.UpdateInfo {
	info := u.info
	info.Version = u.version
	switch u.status {
	case apitype.StatusSucceeded:
		info.Result = apitype.SucceededResult
	case apitype.StatusFailed:
		info.Result = apitype.FailedResult
	default:
		info.Result = apitype.InProgressResult
	}
	return info
}

func (s *server) add(found *stack, kind apitype.UpdateKind) *update {
	made := &update{
		id: s.id(), status: apitype.StatusNotStarted, tokens: map[string]time.Time{},
		info: apitype.UpdateInfo{Kind: kind, StartTime: s.now().Unix(), Environment: map[string]string{}},
	}
	found.updates = append(found.updates, made)
	return made
}

// record adds an update that the server itself carries out at once.
func (s *server) record(found *stack, kind apitype.UpdateKind, deployment apitype.UntypedDeployment) *update {
	s.abandon(found)
	made := s.add(found, kind)
	s.begin(found, made)
	made.replayed = &deployment
	s.end(found, made, apitype.StatusSucceeded)
	return made
}

func (s *server) begin(found *stack, started *update) {
	started.status = apitype.StatusRunning
	started.base = found.deployment
	started.version = found.version
	if !started.dryRun {
		started.version++
		found.activeUpdate = started.id
	}
}

// end keeps what was stored of an update, also of one that failed.
func (s *server) end(found *stack, ended *update, status apitype.UpdateStatus) {
	if !ended.dryRun {
		// A deployment that cannot be replayed is not replaced, and each export of this update says why.
		if deployment, err := ended.state(); err == nil {
			found.deployment = deployment
		}
		found.version = ended.version
		if s.options.ClearActiveUpdate {
			found.activeUpdate = ""
		}
	}
	ended.status = status
	ended.info.EndTime = s.now().Unix()
}

// abandon ends the update that holds the stack. Whatever it sends from now on is refused.
func (s *server) abandon(found *stack) {
	if held := found.running(); held != nil {
		held.abandoned = true
		s.end(found, held, apitype.StatusFailed)
	}
}

func ofUpdate(handle func(*server, request, *stack, *update) (any, error)) func(*server, request) (any, error) {
	return ofStack(func(s *server, r request, found *stack) (any, error) {
		target, err := found.update(r)
		if err != nil {
			return nil, err
		}
		return handle(s, r, found, target)
	})
}

func (s *stack) update(r request) (*update, error) {
	for _, each := range s.updates {
		if each.id == r.PathValue("update") {
			return each, nil
		}
	}
	return nil, failure(http.StatusNotFound, "Not Found: Update '%s' not found", r.PathValue("update"))
}

// leased is for the requests of a running update, which carry its lease token.
func leased(handle func(*server, request, *stack, *update) (any, error)) func(*server, request) (any, error) {
	return func(s *server, r request) (any, error) {
		found, err := s.find(r)
		if err != nil {
			return nil, err
		}
		target, err := found.update(r)
		if err != nil {
			return nil, err
		}
		until, known := target.tokens[bearer(r, "update-token")]
		if !known {
			// Tells nobody without a token that the update exists.
			return nil, failure(http.StatusNotFound, "Not Found: Update '%s' not found", target.id)
		}
		if target.abandoned || s.now().After(until) {
			return nil, failure(http.StatusForbidden, "The provided update token has expired.")
		}
		return handle(s, r, found, target)
	}
}

func createUpdate(kind apitype.UpdateKind) func(*server, request, *stack) (any, error) {
	return func(s *server, r request, found *stack) (any, error) {
		var wanted apitype.UpdateProgramRequest
		if err := r.decode(&wanted); err != nil {
			return nil, err
		}
		return s.create(found, kind, wanted), nil
	}
}

func (s *server) create(found *stack, kind apitype.UpdateKind, wanted apitype.UpdateProgramRequest) apitype.UpdateProgramResponse {
	made := s.add(found, kind)
	made.dryRun = wanted.Options.DryRun || kind == apitype.PreviewUpdate
	made.info.Message, made.info.Config = wanted.Metadata.Message, wanted.Config
	if wanted.Metadata.Environment != nil {
		made.info.Environment = wanted.Metadata.Environment
	}
	return apitype.UpdateProgramResponse{UpdateID: made.id, RequiredPolicies: s.options.RequiredPolicies}
}

func startUpdate(s *server, r request, found *stack, target *update) (any, error) {
	var wanted apitype.StartUpdateRequest
	if err := r.decode(&wanted); err != nil {
		return nil, err
	}
	return s.start(found, target, wanted)
}

// start gives the update a lease. An update whose lease has ended is ended by it, and its steps stay.
func (s *server) start(
	found *stack, target *update, wanted apitype.StartUpdateRequest,
) (apitype.StartUpdateResponse, error) {
	var none apitype.StartUpdateResponse
	if target.status != apitype.StatusNotStarted {
		return none, failure(http.StatusConflict, "Conflict: The Update has already started")
	}
	if !target.dryRun {
		if err := s.requireFree(found); err != nil {
			return none, err
		}
		s.abandon(found)
	}
	if wanted.Tags != nil {
		found.tags = wanted.Tags
	}
	s.begin(found, target)
	token, until := s.lease(target, longestLease)
	return apitype.StartUpdateResponse{
		Version: target.version, Token: token, TokenExpiration: until.Unix(),
		JournalVersion: min(wanted.JournalVersion, s.options.JournalVersion),
	}, nil
}

func beginUpdate(s *server, r request, found *stack) (any, error) {
	var wanted apitype.BeginUpdateRequest
	if err := r.decode(&wanted); err != nil {
		return nil, err
	}
	created := s.create(found, wanted.UpdateKind, wanted.Program)
	target := found.updates[len(found.updates)-1]
	started, err := s.start(found, target, wanted.StartUpdateRequest)
	if err != nil {
		return nil, err
	}
	deployment, err := found.current()
	return apitype.BeginUpdateResponse{
		StartUpdateResponse: started, UpdateProgramResponse: created, Deployment: &deployment, Stack: describe(found),
	}, err
}

// lease adds a token. An older one stays valid until its own end.
func (s *server) lease(target *update, duration time.Duration) (string, time.Time) {
	token, until := s.id(), s.now().Add(min(duration, longestLease))
	target.tokens[token] = until
	return token, until
}

func renewLease(s *server, r request, _ *stack, target *update) (any, error) {
	var wanted apitype.RenewUpdateLeaseRequest
	if err := r.decode(&wanted); err != nil {
		return nil, err
	}
	token, until := s.lease(target, time.Duration(wanted.Duration)*time.Second)
	return apitype.RenewUpdateLeaseResponse{Token: token, TokenExpiration: until.Unix()}, nil
}

func (u *update) requireRunning() error {
	if u.status != apitype.StatusRunning {
		return failure(http.StatusConflict, "Conflict: The Update has already completed")
	}
	return nil
}

func completeUpdate(s *server, r request, found *stack, target *update) (any, error) {
	var sent apitype.CompleteUpdateRequest
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	// The CLI sends it again if the answer was lost.
	if target.status == apitype.StatusRunning {
		s.end(found, target, sent.Status)
	}
	return nil, nil
}

func cancelUpdate(s *server, _ request, found *stack, target *update) (any, error) {
	if err := target.requireRunning(); err != nil {
		return nil, err
	}
	if target.dryRun {
		s.end(found, target, apitype.StatusFailed)
	} else {
		s.abandon(found)
	}
	return nil, nil
}

func getUpdateStatus(_ *server, _ request, _ *stack, target *update) (any, error) {
	return apitype.UpdateResults{Status: target.status, Events: []apitype.UpdateEvent{}}, nil
}

func postEvents(_ *server, r request, _ *stack, target *update) (any, error) {
	var sent struct{ Events []json.RawMessage }
	if err := r.decode(&sent); err != nil {
		return nil, err
	}
	for _, each := range sent.Events {
		var event struct{ SummaryEvent *apitype.SummaryEvent }
		if err := json.Unmarshal(each, &event); err == nil && event.SummaryEvent != nil {
			target.info.ResourceChanges = event.SummaryEvent.ResourceChanges
		}
	}
	target.events = append(target.events, sent.Events...)
	return nil, nil
}

func getEvents(_ *server, _ request, _ *stack, target *update) (any, error) {
	return map[string]any{"events": target.events}, nil
}
