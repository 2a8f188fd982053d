package client

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

// Objects of every new control plane. Their ids never change.
const (
	networkPolicy = "a0000000-0000-4000-8000-000000000001"
	trunk         = "b0000000-0000-4000-8000-000000000001"
	webhook       = "c0000000-0000-4000-8000-000000000001"
)

func newClient(t *testing.T) *Client {
	control(t, "POST", "reset", nil, nil)
	return New(plane.URL, plane.Tokens["full"])
}

func requests(t *testing.T) []entry {
	var journal []entry
	control(t, "GET", "journal", nil, &journal)
	return journal
}

func TestEveryOperationIsCarriedOut(t *testing.T) {
	client := newClient(t)
	secret, rotated := client.RotateSecret(webhook)
	ids, listed := client.Webhooks()
	err := errors.Join(
		rotated,
		listed,
		client.Keep("recordings", 90),
		client.Admit(networkPolicy, "203.0.113.0/25"),
		client.ClearOutboundAuth(trunk),
	)
	if err != nil {
		t.Fatal(err)
	}
	if len(secret) != 43 || !slices.Contains(ids, webhook) {
		t.Errorf("a secret of %d characters, and the webhooks %v", len(secret), ids)
	}
	want := []entry{
		{"POST", "/v1/webhooks/" + webhook + "/rotate-secret", 200, ""},
		{"GET", "/v1/webhooks/", 200, ""},
		{"PUT", "/v1/retention-policies/recordings", 200, ""},
		{"PATCH", "/v1/network-policies/" + networkPolicy, 200, ""},
		{"DELETE", "/v1/trunks/" + trunk + "/outbound-auth", 204, ""},
	}
	if got := requests(t); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	var state struct {
		RetentionPolicies []struct {
			Days int `json:"retention_days"`
		}
	}
	control(t, "GET", "state", nil, &state)
	if len(state.RetentionPolicies) != 1 || state.RetentionPolicies[0].Days != 90 {
		t.Errorf("the retention policies are %v", state.RetentionPolicies)
	}
}

func TestATokenWithoutTheRightChangesNothing(t *testing.T) {
	newClient(t)
	err := New(plane.URL, plane.Tokens["withoutTrunksWrite"]).ClearOutboundAuth(trunk)
	var status *StatusError
	if !errors.As(err, &status) || status.Status != 403 {
		t.Fatalf("got %v, want a 403", err)
	}
	if got := requests(t)[0].Refusal; got != "credential scope required: trunks:write" {
		t.Errorf("it was refused because: %s", got)
	}
	var counted counters
	control(t, "GET", "counters", nil, &counted)
	if len(counted) != 0 {
		t.Errorf("something was changed: %v", counted)
	}
}

func TestA503IsTriedAgain(t *testing.T) {
	client := newClient(t)
	control(t, "PUT", "faults", []fault{{Operation: "putRetentionPolicy", Status: 503, Count: 1}}, nil)
	if err := client.Keep("recordings", 90); err != nil {
		t.Fatal(err)
	}
	var statuses []int
	for _, request := range requests(t) {
		statuses = append(statuses, request.Status)
	}
	if !slices.Equal(statuses, []int{503, 200}) {
		t.Errorf("got %v, want 503 and then 200", statuses)
	}
}

func TestARotationWhoseAnswerIsLostIsNotSentAgain(t *testing.T) {
	client := newClient(t)
	control(t, "PUT", "faults", []fault{{Operation: "rotateWebhookSecret", Connection: "reset", Commit: true}}, nil)
	if _, err := client.RotateSecret(webhook); err == nil {
		t.Fatal("the answer was not lost")
	}
	var counted counters
	control(t, "GET", "counters", nil, &counted)
	if counted["rotateWebhookSecret"].Total != 1 {
		t.Errorf("it was carried out %d times", counted["rotateWebhookSecret"].Total)
	}
}
