package main

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/pulumi/pulumi/pkg/v3/resource/edit"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

type stack struct {
	id                 string
	org, project, name string
	tags               map[string]string
	config             *apitype.StackConfig
	sealer             sealer
	// The deployment and the version after the last update that has ended.
	deployment apitype.UntypedDeployment
	version    int
	// In order of their creation, previews included.
	updates      []*update
	activeUpdate string
}

func (s *stack) path() string { return s.org + "/" + s.project + "/" + s.name }

// empty is what Pulumi Cloud exports for a stack without an update: its time is zero.
func empty() apitype.UntypedDeployment {
	text, _ := json.Marshal(apitype.DeploymentV3{})
	return apitype.UntypedDeployment{Version: apitype.DeploymentSchemaVersionCurrent, Deployment: text}
}

// running is the update that holds the stack, also after its lease: only the next update ends it.
func (s *stack) running() *update {
	for _, each := range s.updates {
		if each.status == apitype.StatusRunning && !each.dryRun {
			return each
		}
	}
	return nil
}

// current has each step that was stored so far, also those of an update that runs or has died.
func (s *stack) current() (apitype.UntypedDeployment, error) {
	if update := s.running(); update != nil {
		return update.state()
	}
	return s.deployment, nil
}

func (s *stack) resources() ([]apitype.ResourceV3, error) {
	deployment, err := s.current()
	if err != nil {
		return nil, err
	}
	typed, err := parse(deployment)
	return typed.Resources, err
}

func parse(deployment apitype.UntypedDeployment) (*apitype.DeploymentV3, error) {
	typed := &apitype.DeploymentV3{}
	if len(deployment.Deployment) == 0 {
		return typed, nil
	}
	return typed, json.Unmarshal(deployment.Deployment, typed)
}

func ofStack(handle func(*server, request, *stack) (any, error)) func(*server, request) (any, error) {
	return authorized(func(s *server, r request) (any, error) {
		found, err := s.find(r)
		if err != nil {
			return nil, err
		}
		return handle(s, r, found)
	})
}

func (s *server) find(r request) (*stack, error) {
	path := r.PathValue("org") + "/" + r.PathValue("project") + "/" + r.PathValue("stack")
	if found, ok := s.stacks[path]; ok {
		return found, nil
	}
	return nil, failure(http.StatusNotFound, "Not Found: Stack '%s' not found", path)
}

func listStacks(s *server, r request) (any, error) {
	wanted := r.URL.Query()
	summaries := []apitype.StackSummary{}
	for _, each := range s.stacks {
		tag, tagged := each.tags[wanted.Get("tagName")]
		if wanted.Has("organization") && wanted.Get("organization") != each.org ||
			wanted.Has("project") && wanted.Get("project") != each.project ||
			wanted.Has("tagName") && !tagged || wanted.Has("tagValue") && wanted.Get("tagValue") != tag {
			continue
		}
		resources, err := each.resources()
		if err != nil {
			return nil, err
		}
		count := len(resources)
		summary := apitype.StackSummary{
			ID: each.id, OrgName: each.org, ProjectName: each.project, StackName: each.name, ResourceCount: &count,
		}
		if history := each.history(); len(history) > 0 {
			summary.LastUpdate = &history[0].info.StartTime
		}
		summaries = append(summaries, summary)
	}
	return apitype.ListStacksResponse{Stacks: summaries}, nil
}

func projectExists(s *server, r request) (any, error) {
	for _, each := range s.stacks {
		if each.org == r.PathValue("org") && each.project == r.PathValue("project") {
			return nil, nil
		}
	}
	return nil, failure(http.StatusNotFound, "Not Found: Project '%s' not found", r.PathValue("project"))
}

func createStack(s *server, r request) (any, error) {
	var wanted apitype.CreateStackRequest
	if err := r.decode(&wanted); err != nil {
		return nil, err
	}
	made := &stack{
		id: s.id(), org: r.PathValue("org"), project: r.PathValue("project"), name: wanted.StackName,
		tags: wanted.Tags, config: wanted.Config, sealer: newSealer(), deployment: empty(),
	}
	if !slices.Contains([]string{user, organization}, made.org) {
		return nil, failure(http.StatusNotFound, "Not Found: Organization '%s' not found", made.org)
	}
	if _, exists := s.stacks[made.path()]; exists {
		return nil, failure(http.StatusConflict, "Conflict: Stack '%s' already exists", made.path())
	}
	if wanted.State != nil {
		made.deployment = *wanted.State
	}
	s.stacks[made.path()] = made
	return apitype.CreateStackResponse{}, nil
}

func describe(found *stack) apitype.Stack {
	described := apitype.Stack{
		ID: found.id, OrgName: found.org, ProjectName: found.project, StackName: tokens.QName(found.name),
		Tags: found.tags, Config: found.config, Version: found.version, ActiveUpdate: found.activeUpdate,
	}
	if update := found.running(); update != nil {
		described.CurrentOperation = &apitype.OperationStatus{
			Kind: update.info.Kind, Author: user, Started: update.info.StartTime,
		}
	}
	return described
}

func getStack(_ *server, _ request, found *stack) (any, error) { return describe(found), nil }

func (s *server) requireFree(found *stack) error {
	if update := found.running(); update != nil && s.now().Before(update.expires()) {
		return failure(http.StatusConflict, "Conflict: Another update is currently in progress.")
	}
	return nil
}

func deleteStack(s *server, r request, found *stack) (any, error) {
	if err := s.requireFree(found); err != nil {
		return nil, err
	}
	resources, err := found.resources()
	if err != nil {
		return nil, err
	}
	if len(resources) > 0 && r.URL.Query().Get("force") != "true" {
		return nil, failure(http.StatusBadRequest, "Bad Request: Stack still contains resources.")
	}
	delete(s.stacks, found.path())
	return nil, nil
}

// renameStack also rewrites the URNs of the deployment, and where its secrets are decrypted.
func renameStack(s *server, r request, found *stack) (any, error) {
	var wanted apitype.StackRenameRequest
	if err := r.decode(&wanted); err != nil {
		return nil, err
	}
	if err := s.requireFree(found); err != nil {
		return nil, err
	}
	renamed := *found
	if wanted.NewName != "" {
		renamed.name = wanted.NewName
	}
	if wanted.NewProject != "" {
		renamed.project = wanted.NewProject
	}
	if _, exists := s.stacks[renamed.path()]; exists {
		return nil, failure(http.StatusConflict, "Conflict: Stack '%s' already exists", renamed.path())
	}
	deployment, err := rename(found, &renamed)
	if err != nil {
		return nil, err
	}
	delete(s.stacks, found.path())
	found.name, found.project = renamed.name, renamed.project
	s.stacks[found.path()] = found
	s.record(found, apitype.RenameUpdate, deployment)
	return nil, nil
}

func rename(from, to *stack) (apitype.UntypedDeployment, error) {
	deployment, err := from.current()
	if err != nil {
		return deployment, err
	}
	typed, err := parse(deployment)
	if err != nil {
		return deployment, err
	}
	oldName, err := tokens.ParseStackName(from.name)
	if err != nil {
		return deployment, failure(http.StatusBadRequest, "Bad Request: %v", err)
	}
	newName, err := tokens.ParseStackName(to.name)
	if err != nil {
		return deployment, failure(http.StatusBadRequest, "Bad Request: %v", err)
	}
	if err := edit.RenameStack(typed, newName, tokens.PackageName(to.project), edit.RenameStackOptions{
		OldName: oldName, OldProject: tokens.PackageName(from.project),
	}); err != nil {
		return deployment, err
	}
	if provider := typed.SecretsProviders; provider != nil && provider.Type == "service" {
		var state map[string]any
		if err := json.Unmarshal(provider.State, &state); err != nil {
			return deployment, err
		}
		state["project"], state["stack"] = to.project, to.name
		if provider.State, err = json.Marshal(state); err != nil {
			return deployment, err
		}
	}
	deployment.Deployment, err = json.Marshal(typed)
	return deployment, err
}

func updateTags(_ *server, r request, found *stack) (any, error) {
	tags := map[string]string{}
	if err := r.decode(&tags); err != nil {
		return nil, err
	}
	found.tags = tags
	return nil, nil
}

func updateConfig(_ *server, r request, found *stack) (any, error) {
	return nil, r.decode(&found.config)
}

func getPolicyPacks(s *server, _ request, _ *stack) (any, error) {
	return apitype.GetStackPolicyPacksResponse{RequiredPolicies: s.options.RequiredPolicies}, nil
}

func exportStack(_ *server, _ request, found *stack) (any, error) { return found.current() }

func exportVersion(_ *server, r request, found *stack) (any, error) {
	update, err := found.atVersion(r.PathValue("version"))
	if err != nil {
		return nil, err
	}
	return update.state()
}

func importStack(s *server, r request, found *stack) (any, error) {
	var deployment apitype.UntypedDeployment
	if err := r.decode(&deployment); err != nil {
		return nil, err
	}
	if _, err := parse(deployment); err != nil {
		return nil, failure(http.StatusBadRequest, "Bad Request: %v", err)
	}
	if err := s.requireFree(found); err != nil {
		return nil, err
	}
	return apitype.ImportStackResponse{UpdateID: s.record(found, apitype.StackImportUpdate, deployment).id}, nil
}
