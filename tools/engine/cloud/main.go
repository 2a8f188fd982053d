// Speaks as much of Pulumi Cloud's HTTP protocol as the tests need: one journal for each update, leases, conflicts. In memory:
//
//	cloud TOKEN
//
// The first line of stdout is the server's address, on loopback. It ends when stdin does. What a server may answer is taken
// from the CLI's own client (pkg/v3/backend/httpstate), and the texts of errors from what users of Pulumi Cloud report.
package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	made := &server{token: os.Args[1], stacks: map[string]*stack{}}
	log.Fatal(http.Serve(listener, made.handler()))
}

const user = "tester"

type server struct {
	token string
	// Added to the machine's clock. Tests let time pass with it.
	ahead   time.Duration
	mutex   sync.Mutex
	stacks  map[string]*stack
	faults  []*fault
	created int
}

func (s *server) now() time.Time { return time.Now().Add(s.ahead) }

func (s *server) id() string {
	s.created++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", s.created)
}

// request is an HTTP request with its whole body, unpacked.
type request struct {
	*http.Request
	body []byte
}

func decode[T any](r request) (sent T) {
	if err := json.Unmarshal(r.body, &sent); err != nil {
		refuse(http.StatusBadRequest, "Bad Request: %v", err)
	}
	return sent
}

// refuse ends the handler with this answer.
func refuse(code int, format string, values ...any) {
	panic(&apitype.ErrorResponse{Code: code, Message: fmt.Sprintf(format, values...)})
}

type handler func(s *server, r request) any

// Faults name a route as the CLI's logs do.
type route struct {
	pattern, name string
	handle        handler
}

const stackPath = "/api/stacks/{org}/{project}/{stack}"
const updatePath = stackPath + "/{kind}/{update}"

var routes = []route{
	{"GET /api/user", "getCurrentUser", authorized(fixed(map[string]any{"id": user, "name": user, "githubLogin": user}))},
	{"GET /api/user/organizations/default", "getDefaultOrg", authorized(fixed(apitype.GetDefaultOrganizationResponse{GitHubLogin: user}))},
	{"GET /api/user/stacks", "listUserStacks", authorized(listStacks)},
	{"POST /api/stacks/{org}/{project}", "createStack", authorized(createStack)},
	{"GET " + stackPath, "getStack", ofStack(getStack)},
	{"DELETE " + stackPath, "deleteStack", ofStack(deleteStack)},
	{"PATCH " + stackPath + "/tags", "updateStackTags", authorized(fixed(nil))},
	{"GET " + stackPath + "/policypacks", "getStackPolicyPacks", authorized(fixed(apitype.GetStackPolicyPacksResponse{}))},
	{"GET " + stackPath + "/export", "exportStack", ofStack(exportStack)},
	{"POST " + stackPath + "/import", "importStack", ofStack(importStack)},
	{"POST " + stackPath + "/encrypt", "encryptValue", ofStack(encryptValue)},
	{"POST " + stackPath + "/decrypt", "decryptValue", ofStack(decryptValue)},
	{"POST " + stackPath + "/batch-decrypt", "batchDecrypt", ofStack(batchDecrypt)},
	{"POST " + stackPath + "/decrypt/log-decryption", "logDecryption", authorized(fixed(nil))},
	{"POST " + stackPath + "/decrypt/log-batch-decryption", "logDecryption", authorized(fixed(nil))},
	{"POST " + stackPath + "/{kind}", "createUpdate", ofStack(createUpdate)},
	{"POST " + updatePath, "startUpdate", ofStack(startUpdate)},
	{"GET " + updatePath, "getUpdateStatus", ofStack(getUpdateStatus)},
	{"POST " + updatePath + "/cancel", "cancelUpdate", ofStack(cancelUpdate)},
	{"POST " + updatePath + "/renew_lease", "renewLease", leased(renewLease)},
	{"PATCH " + updatePath + "/journalentries", "patchJournalEntries", leased(patchJournalEntries)},
	{"POST " + updatePath + "/events/batch", "postEngineEventBatch", fixed(nil)},
	{"POST " + updatePath + "/complete", "completeUpdate", leased(completeUpdate)},
}

func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, each := range routes {
		mux.HandleFunc(each.pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, each) })
	}
	for pattern, handle := range controls {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { write(w, s.answer(r, handle)) })
	}
	return mux
}

func (s *server) serve(w http.ResponseWriter, r *http.Request, target route) {
	fault := s.take(target.name)
	var answer any
	if fault == nil || fault.Commit {
		answer = s.answer(r, target.handle)
	}
	fault.happen(w, answer)
}

// answer is what the handler returns, or its refusal.
func (s *server) answer(r *http.Request, handle handler) (answer any) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		body, _ = gzip.NewReader(r.Body)
	}
	text, _ := io.ReadAll(body)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	defer func() {
		switch refusal := recover().(type) {
		case nil:
		case *apitype.ErrorResponse:
			answer = refusal
		default:
			answer = &apitype.ErrorResponse{Code: http.StatusInternalServerError, Message: fmt.Sprint(refusal)}
		}
	}()
	return handle(s, request{r, text})
}

// write answers. An answer of nil has no body.
func write(w http.ResponseWriter, answer any) {
	status := http.StatusOK
	if refusal, ok := answer.(*apitype.ErrorResponse); ok {
		status = refusal.Code
	} else if answer == nil {
		status = http.StatusNoContent
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if answer != nil {
		_ = json.NewEncoder(w).Encode(answer)
	}
}

func fixed(answer any) handler { return func(*server, request) any { return answer } }

// bearer is the credential of a request, if it is of this kind: "token" or "update-token".
func bearer(r request, kind string) string {
	credential, _ := strings.CutPrefix(r.Header.Get("Authorization"), kind+" ")
	return credential
}

func authorized(handle handler) handler {
	return func(s *server, r request) any {
		if bearer(r, "token") != s.token {
			refuse(http.StatusUnauthorized, "Unauthorized: No credentials provided or are invalid.")
		}
		return handle(s, r)
	}
}

// controls are what tests see and change. They need no token, and no fault applies to them.
var controls = map[string]handler{
	"GET /_test/faults": func(s *server, _ request) any { return s.faults },
	"PUT /_test/faults": func(s *server, r request) any {
		s.faults = decode[[]*fault](r)
		return nil
	},
	"POST /_test/clock": func(s *server, r request) any {
		s.ahead += time.Duration(decode[struct{ Seconds int }](r).Seconds) * time.Second
		return nil
	},
	"POST /_test/expire/{org}/{project}/{stack}": func(s *server, r request) any {
		if running := s.find(r).running; running != nil {
			running.until = s.now()
		}
		return nil
	},
	"GET /_test/stacks": showStacks,
}

// A fault is for the next requests of a route, or of all for "*".
type fault struct {
	Operation string `json:"operation"`
	// "status" answers Status, and "reset" closes the connection.
	Effect string `json:"effect"`
	Status int    `json:"status,omitempty"`
	// Whether the request is carried out nevertheless.
	Commit bool `json:"commit,omitempty"`
	// 0 is all requests.
	Count int `json:"count,omitempty"`
}

// take returns the fault of a request, and counts it.
func (s *server) take(operation string) *fault {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at := slices.IndexFunc(s.faults, func(each *fault) bool { return each.Operation == "*" || each.Operation == operation })
	if at == -1 {
		return nil
	}
	found := s.faults[at]
	if found.Count == 1 {
		s.faults = slices.Delete(s.faults, at, at+1)
	}
	found.Count = max(found.Count-1, 0)
	return found
}

func (f *fault) happen(w http.ResponseWriter, answer any) {
	if f == nil {
		write(w, answer)
	} else if f.Effect == "status" {
		write(w, &apitype.ErrorResponse{Code: f.Status, Message: http.StatusText(f.Status)})
	} else if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = connection.Close()
	}
}

// showStacks has each deployment as it is stored, and with its secrets.
func showStacks(s *server, _ request) any {
	shown := map[string]any{}
	for path, each := range s.stacks {
		deployment := each.current().Deployment
		var inClear any
		_ = json.Unmarshal(deployment, &inClear)
		updates := []any{}
		for _, update := range each.updates {
			updates = append(updates, map[string]any{
				"id": update.id, "kind": update.kind, "dryRun": update.dryRun, "status": update.status, "version": update.version,
			})
		}
		shown[path] = map[string]any{
			"stack": describe(each), "deployment": deployment, "inClear": each.inClear(inClear), "updates": updates,
		}
	}
	return shown
}
