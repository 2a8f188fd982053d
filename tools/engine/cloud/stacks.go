package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
)

type stack struct {
	org, project, name string
	secrets            map[string][]byte
	// The deployment and the version after the last update that has ended.
	deployment apitype.UntypedDeployment
	version    int
	// In order of their creation, previews included.
	updates []*update
	// The update that holds the stack, also after its lease: only the next update ends it.
	running *update
	// The last update, also after its end, as in Pulumi Cloud.
	activeUpdate string
}

func (s *stack) path() string { return s.org + "/" + s.project + "/" + s.name }

// current has each step that was stored so far, also those of an update that runs or has died.
func (s *stack) current() apitype.UntypedDeployment {
	if s.running != nil {
		return s.running.state()
	}
	return s.deployment
}

func parse(deployment apitype.UntypedDeployment) *apitype.DeploymentV3 {
	typed := &apitype.DeploymentV3{}
	if err := json.Unmarshal(deployment.Deployment, typed); err != nil {
		refuse(http.StatusBadRequest, "Bad Request: %v", err)
	}
	return typed
}

func ofStack(handle func(*server, request, *stack) any) handler {
	return authorized(func(s *server, r request) any { return handle(s, r, s.find(r)) })
}

func (s *server) find(r request) *stack {
	path := r.PathValue("org") + "/" + r.PathValue("project") + "/" + r.PathValue("stack")
	found, known := s.stacks[path]
	if !known {
		refuse(http.StatusNotFound, "Not Found: Stack '%s' not found", path)
	}
	return found
}

func listStacks(s *server, _ request) any {
	listed := apitype.ListStacksResponse{Stacks: []apitype.StackSummary{}}
	for _, each := range s.stacks {
		listed.Stacks = append(listed.Stacks, apitype.StackSummary{OrgName: each.org, ProjectName: each.project, StackName: each.name})
	}
	return listed
}

func createStack(s *server, r request) any {
	made := &stack{
		org: r.PathValue("org"), project: r.PathValue("project"), secrets: map[string][]byte{},
		name: decode[apitype.CreateStackRequest](r).StackName,
	}
	// What Pulumi Cloud exports for a stack without an update.
	made.deployment.Version = apitype.DeploymentSchemaVersionCurrent
	made.deployment.Deployment, _ = json.Marshal(apitype.DeploymentV3{})
	if made.org != user {
		refuse(http.StatusNotFound, "Not Found: Organization '%s' not found", made.org)
	}
	s.stacks[made.path()] = made
	return apitype.CreateStackResponse{}
}

func describe(found *stack) apitype.Stack {
	described := apitype.Stack{
		OrgName: found.org, ProjectName: found.project, StackName: tokens.QName(found.name),
		Version: found.version, ActiveUpdate: found.activeUpdate,
	}
	if update := found.running; update != nil {
		described.CurrentOperation = &apitype.OperationStatus{Kind: update.kind, Author: user, Started: update.started}
	}
	return described
}

func getStack(_ *server, _ request, found *stack) any { return describe(found) }

func deleteStack(s *server, r request, found *stack) any {
	s.free(found)
	if len(parse(found.deployment).Resources) > 0 && r.URL.Query().Get("force") != "true" {
		refuse(http.StatusBadRequest, "Bad Request: Stack still contains resources.")
	}
	delete(s.stacks, found.path())
	return nil
}

func exportStack(_ *server, _ request, found *stack) any { return found.current() }

func importStack(s *server, r request, found *stack) any {
	deployment := decode[apitype.UntypedDeployment](r)
	s.free(found)
	made := s.add(found, apitype.StackImportUpdate)
	s.begin(found, made)
	made.base = deployment
	s.end(found, made, apitype.StatusSucceeded)
	return apitype.ImportStackResponse{UpdateID: made.id}
}

// A ciphertext is only the name of its plaintext, which the stack keeps.
func encryptValue(s *server, r request, found *stack) any {
	ciphertext := s.id()
	found.secrets[ciphertext] = decode[apitype.EncryptValueRequest](r).Plaintext
	return apitype.EncryptValueResponse{Ciphertext: []byte(ciphertext)}
}

func decryptValue(_ *server, r request, found *stack) any {
	return apitype.DecryptValueResponse{Plaintext: found.secrets[string(decode[apitype.DecryptValueRequest](r).Ciphertext)]}
}

func batchDecrypt(_ *server, r request, found *stack) any {
	opened := map[string][]byte{}
	for _, ciphertext := range decode[apitype.BatchDecryptRequest](r).Ciphertexts {
		opened[base64.StdEncoding.EncodeToString(ciphertext)] = found.secrets[string(ciphertext)]
	}
	return apitype.BatchDecryptResponse{Plaintexts: opened}
}

// inClear replaces each secret of a deployment by its value.
func (s *stack) inClear(value any) any {
	switch value := value.(type) {
	case []any:
		for at, each := range value {
			value[at] = s.inClear(each)
		}
	case map[string]any:
		text, _ := value["ciphertext"].(string)
		ciphertext, _ := base64.StdEncoding.DecodeString(text)
		var opened any
		if json.Unmarshal(s.secrets[string(ciphertext)], &opened) == nil {
			return opened
		}
		for key, each := range value {
			value[key] = s.inClear(each)
		}
	}
	return value
}
