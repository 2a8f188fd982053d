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
	token   string
	mutex   sync.Mutex
	stacks  map[string]*stack
	created int
}

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

const stackPath = "/api/stacks/{org}/{project}/{stack}"
const updatePath = stackPath + "/{kind}/{update}"

var routes = map[string]handler{
	"GET /api/user":                                       authorized(fixed(map[string]any{"id": user, "name": user, "githubLogin": user})),
	"GET /api/user/organizations/default":                 authorized(fixed(apitype.GetDefaultOrganizationResponse{GitHubLogin: user})),
	"GET /api/user/stacks":                                authorized(listStacks),
	"POST /api/stacks/{org}/{project}":                    authorized(createStack),
	"GET " + stackPath:                                    ofStack(getStack),
	"DELETE " + stackPath:                                 ofStack(deleteStack),
	"PATCH " + stackPath + "/tags":                        authorized(fixed(nil)),
	"GET " + stackPath + "/policypacks":                   authorized(fixed(apitype.GetStackPolicyPacksResponse{})),
	"GET " + stackPath + "/export":                        ofStack(exportStack),
	"POST " + stackPath + "/import":                       ofStack(importStack),
	"POST " + stackPath + "/encrypt":                      ofStack(encryptValue),
	"POST " + stackPath + "/decrypt":                      ofStack(decryptValue),
	"POST " + stackPath + "/batch-decrypt":                ofStack(batchDecrypt),
	"POST " + stackPath + "/decrypt/log-decryption":       authorized(fixed(nil)),
	"POST " + stackPath + "/decrypt/log-batch-decryption": authorized(fixed(nil)),
	"POST " + stackPath + "/{kind}":                       ofStack(createUpdate),
	"POST " + updatePath:                                  ofStack(startUpdate),
	"GET " + updatePath:                                   ofStack(getUpdateStatus),
	"POST " + updatePath + "/cancel":                      ofStack(cancelUpdate),
	"POST " + updatePath + "/renew_lease":                 leased(renewLease),
	"PATCH " + updatePath + "/journalentries":             leased(patchJournalEntries),
	"POST " + updatePath + "/events/batch":                fixed(nil),
	"POST " + updatePath + "/complete":                    leased(completeUpdate),
	// What tests see and change. They need no token.
	"POST /_test/expire/{org}/{project}/{stack}": expireLease,
	"GET /_test/stacks":                          showStacks,
}

func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, handle := range routes {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { write(w, s.answer(r, handle)) })
	}
	return mux
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

// expireLease ends the lease of a stack's update now.
func expireLease(s *server, r request) any {
	if running := s.find(r).running; running != nil {
		running.until = time.Now()
	}
	return nil
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
