package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

// The user of the token, and the organizations that stacks can be in.
const (
	user         = "tester"
	organization = "acme"
)

// options are what servers of different ages do differently.
type options struct {
	// The newest version of the journal, 0 for a server without one.
	JournalVersion int64 `json:"journalVersion"`
	// The size from which the CLI sends checkpoints as deltas, where it does not send a journal.
	DeltaCutoff int `json:"deltaCutoff"`
	// Whether the end of an update clears a stack's activeUpdate. Otherwise it names the last update, as it does in
	// Pulumi Cloud: `pulumi cancel` after an update says that it has already completed.
	ClearActiveUpdate bool `json:"clearActiveUpdate"`
	// Whether updates can be created and started by one request, which newer CLIs then send.
	BeginUpdate bool `json:"beginUpdate"`
	// The policy packs that every update has to pass.
	RequiredPolicies []apitype.RequiredPolicy `json:"requiredPolicies"`
}

type server struct {
	token string
	// Added to the machine's clock. Tests let time pass with it.
	ahead time.Duration

	// Held by each handler from its start to its end.
	mutex    sync.Mutex
	options  options
	stacks   map[string]*stack
	faults   []*fault
	requests []received
	created  int
}

func newServer(token string) *server {
	return &server{
		token:   token,
		options: options{JournalVersion: 1, DeltaCutoff: 1 << 20, BeginUpdate: true},
		stacks:  map[string]*stack{},
	}
}

func (s *server) now() time.Time { return time.Now().Add(s.ahead) }

// id is unique, and looks like the ids of Pulumi Cloud.
func (s *server) id() string {
	s.created++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", s.created)
}

// request is an HTTP request with its whole body, unpacked.
type request struct {
	*http.Request
	body []byte
}

func (r request) decode(target any) error {
	if err := json.Unmarshal(r.body, target); err != nil {
		return failure(http.StatusBadRequest, "Bad Request: %v", err)
	}
	return nil
}

func failure(code int, format string, values ...any) error {
	return &apitype.ErrorResponse{Code: code, Message: fmt.Sprintf(format, values...)}
}

// A route's name is the one that the CLI uses in its logs. Faults and counts name requests by it.
type route struct {
	pattern string
	name    string
	handle  func(s *server, r request) (any, error)
}

const stackPath = "/api/stacks/{org}/{project}/{stack}"
const updatePath = stackPath + "/{kind}/{update}"

var routes = []route{
	{"GET /api/capabilities", "getCapabilities", getCapabilities},
	{"GET /api/cli/version", "getCLIVersion", getCLIVersion},
	{"GET /api/user", "getCurrentUser", authorized(getUser)},
	{"GET /api/user/stacks", "listUserStacks", authorized(listStacks)},
	{"GET /api/user/organizations/default", "getDefaultOrg", authorized(getDefaultOrg)},
	{"HEAD /api/stacks/{org}/{project}", "projectExists", authorized(projectExists)},
	{"POST /api/stacks/{org}/{project}", "createStack", authorized(createStack)},
	{"GET " + stackPath, "getStack", ofStack(getStack)},
	{"DELETE " + stackPath, "deleteStack", ofStack(deleteStack)},
	{"POST " + stackPath + "/rename", "renameStack", ofStack(renameStack)},
	{"PATCH " + stackPath + "/tags", "updateStackTags", ofStack(updateTags)},
	{"PUT " + stackPath + "/config", "updateStackConfig", ofStack(updateConfig)},
	{"GET " + stackPath + "/policypacks", "getStackPolicyPacks", ofStack(getPolicyPacks)},
	{"GET " + stackPath + "/export", "exportStack", ofStack(exportStack)},
	{"GET " + stackPath + "/export/{version}", "exportStack", ofStack(exportVersion)},
	{"POST " + stackPath + "/import", "importStack", ofStack(importStack)},
	{"POST " + stackPath + "/encrypt", "encryptValue", ofStack(encryptValue)},
	{"POST " + stackPath + "/decrypt", "decryptValue", ofStack(decryptValue)},
	{"POST " + stackPath + "/batch-encrypt", "batchEncrypt", ofStack(batchEncrypt)},
	{"POST " + stackPath + "/batch-decrypt", "batchDecrypt", ofStack(batchDecrypt)},
	{"POST " + stackPath + "/decrypt/log-decryption", "logDecryption", ofStack(logDecryption)},
	{"POST " + stackPath + "/decrypt/log-batch-decryption", "logDecryption", ofStack(logDecryption)},
	{"GET " + stackPath + "/updates", "getStackUpdates", ofStack(getHistory)},
	{"GET " + stackPath + "/updates/latest", "getLatestStackUpdate", ofStack(getLatestUpdate)},
	{"GET " + stackPath + "/updates/latest/previews", "getLatestStackPreviews", ofStack(getPreviews)},
	{"GET " + stackPath + "/updates/{version}", "getStackUpdate", ofStack(getUpdateByVersion)},
	{"POST " + stackPath + "/update", "createUpdate", ofStack(createUpdate(apitype.UpdateUpdate))},
	{"POST " + stackPath + "/preview", "createPreview", ofStack(createUpdate(apitype.PreviewUpdate))},
	{"POST " + stackPath + "/refresh", "createRefresh", ofStack(createUpdate(apitype.RefreshUpdate))},
	{"POST " + stackPath + "/destroy", "createDestroy", ofStack(createUpdate(apitype.DestroyUpdate))},
	{"POST " + stackPath + "/begin-update", "beginUpdate", ofStack(beginUpdate)},
	{"POST " + updatePath, "startUpdate", ofUpdate(startUpdate)},
	{"GET " + updatePath, "getUpdateStatus", ofUpdate(getUpdateStatus)},
	{"GET " + updatePath + "/events", "getUpdateEvents", ofUpdate(getEvents)},
	{"POST " + updatePath + "/cancel", "cancelUpdate", ofUpdate(cancelUpdate)},
	{"POST " + updatePath + "/renew_lease", "renewLease", leased(renewLease)},
	{"PATCH " + updatePath + "/checkpoint", "patchCheckpoint", leased(patchCheckpoint)},
	{"PATCH " + updatePath + "/checkpointverbatim", "patchCheckpointVerbatim", leased(patchCheckpointVerbatim)},
	{"PATCH " + updatePath + "/checkpointdelta", "patchCheckpointDelta", leased(patchCheckpointDelta)},
	{"PATCH " + updatePath + "/journalentries", "patchJournalEntries", leased(patchJournalEntries)},
	{"POST " + updatePath + "/events/batch", "postEngineEventBatch", leased(postEvents)},
	{"POST " + updatePath + "/complete", "completeUpdate", leased(completeUpdate)},
}

func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, each := range routes {
		mux.HandleFunc(each.pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, each) })
	}
	for pattern, handle := range controls {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.control(w, r, handle) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, route{name: "unknown", handle: func(*server, request) (any, error) {
			return nil, failure(http.StatusNotFound, "Not Found: %s %s", r.Method, r.URL.Path)
		}})
	})
	return mux
}

func (s *server) serve(w http.ResponseWriter, r *http.Request, target route) {
	fault := s.take(target.name)
	if fault == nil || fault.Commit {
		// A fault may hide this answer from the CLI, and the tests still read in the log what was carried out.
		answer, err := s.answer(r, target)
		if fault == nil {
			s.log(target, r, write(w, answer, err))
			return
		}
	}
	s.log(target, r, fault.happen(w, r))
}

func (s *server) answer(r *http.Request, target route) (any, error) {
	read, err := readRequest(r)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return target.handle(s, read)
}

func readRequest(r *http.Request) (request, error) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			return request{}, failure(http.StatusBadRequest, "Bad Request: %v", err)
		}
		body = unpacked
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return request{}, failure(http.StatusBadRequest, "Bad Request: %v", err)
	}
	return request{r, text}, nil
}

// write answers a request, and returns the status. An answer of nil has no body.
func write(w http.ResponseWriter, answer any, err error) int {
	status := http.StatusOK
	if err != nil {
		var known *apitype.ErrorResponse
		if !errors.As(err, &known) {
			known = &apitype.ErrorResponse{Code: http.StatusInternalServerError, Message: err.Error()}
		}
		status, answer = known.Code, known
	} else if answer == nil {
		status = http.StatusNoContent
	}
	text, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_, _ = w.Write(text)
	}
	return status
}

// bearer is the credential of a request, if it is of this kind: "token" or "update-token".
func bearer(r request, kind string) string {
	found, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if found != kind {
		return ""
	}
	return credential
}

func authorized(handle func(*server, request) (any, error)) func(*server, request) (any, error) {
	return func(s *server, r request) (any, error) {
		if bearer(r, "token") != s.token {
			return nil, failure(http.StatusUnauthorized, "Unauthorized: No credentials provided or are invalid.")
		}
		return handle(s, r)
	}
}

func getCapabilities(s *server, _ request) (any, error) {
	settings := func(value any) json.RawMessage {
		text, _ := json.Marshal(value)
		return text
	}
	capabilities := []apitype.APICapabilityConfig{
		{Capability: apitype.BatchEncrypt},
		{Capability: apitype.StackPolicyPacks, Version: 1},
		{
			Capability: apitype.DeltaCheckpointUploadsV2, Version: 2,
			Configuration: settings(apitype.DeltaCheckpointUploadsConfigV2{
				CheckpointCutoffSizeBytes: s.options.DeltaCutoff,
			}),
		},
		{
			Capability: apitype.DeploymentSchemaVersion, Version: 1,
			Configuration: settings(apitype.DeploymentSchemaVersionConfig{
				Version: apitype.DeploymentSchemaVersionLatest,
			}),
		},
	}
	if s.options.BeginUpdate {
		capabilities = append(capabilities, apitype.APICapabilityConfig{Capability: apitype.BeginUpdate, Version: 1})
	}
	return apitype.CapabilitiesResponse{Capabilities: capabilities}, nil
}

func getCLIVersion(*server, request) (any, error) {
	return apitype.CLIVersionResponse{LatestVersion: "3.0.0", OldestWithoutWarning: "3.0.0"}, nil
}

func getUser(*server, request) (any, error) {
	type member struct {
		Name  string `json:"name"`
		Login string `json:"githubLogin"`
	}
	return struct {
		member
		ID            string   `json:"id"`
		Organizations []member `json:"organizations"`
	}{member{user, user}, user, []member{{user, user}, {organization, organization}}}, nil
}

func getDefaultOrg(*server, request) (any, error) {
	return apitype.GetDefaultOrganizationResponse{GitHubLogin: user}, nil
}
