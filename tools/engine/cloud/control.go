package main

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// controls are what tests see and change. They need no token, and no fault applies to them.
var controls = map[string]func(*server, request) (any, error){
	"GET /_test/requests":                        func(s *server, _ request) (any, error) { return s.requests, nil },
	"PUT /_test/faults":                          setFaults,
	"GET /_test/faults":                          func(s *server, _ request) (any, error) { return s.faults, nil },
	"PUT /_test/options":                         func(s *server, r request) (any, error) { return nil, r.decode(&s.options) },
	"POST /_test/clock":                          advanceClock,
	"POST /_test/expire/{org}/{project}/{stack}": expireLease,
	"GET /_test/stacks":                          showStacks,
}

func (s *server) control(w http.ResponseWriter, r *http.Request, handle func(*server, request) (any, error)) {
	answer, err := s.answer(r, route{handle: handle})
	write(w, answer, err)
}

// received is a request of the CLI.
type received struct {
	Operation string `json:"operation"`
	Path      string `json:"path"`
	// 0 if it got no answer.
	Status int `json:"status"`
}

func (s *server) log(target route, r *http.Request, status int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.requests = append(s.requests, received{target.name, r.URL.Path, status})
}

// A fault is for the next requests of a kind.
type fault struct {
	// The name of a route, or "*" for every request.
	Operation string `json:"operation"`
	// "status" answers Status, "hang" never answers, and "reset" closes the connection.
	Effect string `json:"effect"`
	Status int    `json:"status,omitempty"`
	// Whether the request is carried out nevertheless.
	Commit bool `json:"commit,omitempty"`
	// For how many requests. 0 is all of them.
	Count int `json:"count,omitempty"`
}

func setFaults(s *server, r request) (any, error) {
	s.faults = nil
	return nil, r.decode(&s.faults)
}

// take returns the fault of a request, and counts it.
func (s *server) take(operation string) *fault {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at := slices.IndexFunc(s.faults, func(each *fault) bool {
		return each.Operation == "*" || each.Operation == operation
	})
	if at == -1 {
		return nil
	}
	found := *s.faults[at]
	switch s.faults[at].Count {
	case 0:
	case 1:
		s.faults = slices.Delete(s.faults, at, at+1)
	default:
		s.faults[at].Count--
	}
	return &found
}

func (f *fault) happen(w http.ResponseWriter, r *http.Request) int {
	switch f.Effect {
	case "status":
		return write(w, nil, failure(f.Status, "%s", http.StatusText(f.Status)))
	case "hang":
		// The end of the connection is only seen once the body was read.
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}
	if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = connection.Close()
	}
	return 0
}

func advanceClock(s *server, r request) (any, error) {
	var sent struct{ Seconds int }
	err := r.decode(&sent)
	s.ahead += time.Duration(sent.Seconds) * time.Second
	return nil, err
}

func expireLease(s *server, r request) (any, error) {
	found, err := s.find(r)
	if err != nil {
		return nil, err
	}
	for _, each := range found.updates {
		for token := range each.tokens {
			each.tokens[token] = s.now().Add(-time.Second)
		}
	}
	return nil, nil
}

type shownStack struct {
	Stack apitype.Stack `json:"stack"`
	// As it is stored, and with its secrets.
	Deployment json.RawMessage `json:"deployment"`
	InClear    any             `json:"inClear"`
	Updates    []shownUpdate   `json:"updates"`
}

type shownUpdate struct {
	ID        string               `json:"id"`
	Kind      apitype.UpdateKind   `json:"kind"`
	DryRun    bool                 `json:"dryRun"`
	Status    apitype.UpdateStatus `json:"status"`
	Abandoned bool                 `json:"abandoned"`
	Version   int                  `json:"version"`
	Entries   int                  `json:"entries"`
}

func showStacks(s *server, _ request) (any, error) {
	shown := map[string]shownStack{}
	for path, each := range s.stacks {
		deployment, err := each.current()
		if err != nil {
			return nil, err
		}
		var clear any
		if err := json.Unmarshal(deployment.Deployment, &clear); err != nil {
			return nil, err
		}
		updates := []shownUpdate{}
		for _, update := range each.updates {
			updates = append(updates, shownUpdate{
				ID: update.id, Kind: update.info.Kind, DryRun: update.dryRun, Status: update.status,
				Abandoned: update.abandoned, Version: update.version, Entries: len(update.journal),
			})
		}
		shown[path] = shownStack{describe(each), deployment.Deployment, each.sealer.inClear(clear), updates}
	}
	return shown, nil
}
