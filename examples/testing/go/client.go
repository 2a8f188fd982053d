// Package client is the program under test: a client of the five operations.
package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Client calls one organization's control plane.
type Client struct {
	BaseURL string
	Token   string
	HTTP    http.Client
}

// New returns a client whose requests take at most ten seconds, each on a connection of its own.
func New(baseURL, token string) *Client {
	transport := &http.Transport{DisableKeepAlives: true}
	return &Client{BaseURL: baseURL, Token: token, HTTP: http.Client{Transport: transport, Timeout: 10 * time.Second}}
}

// StatusError is an answer other than 2xx.
type StatusError struct{ Status int }

func (e *StatusError) Error() string { return fmt.Sprintf("the server answered %d", e.Status) }

// Keep sets how long data is kept. A 503 is retried, because a PUT may be carried out twice.
func (c *Client) Keep(resource string, days int) error {
	body := map[string]any{"retention_days": days, "enabled": true}
	var err error
	for range 3 {
		err = c.send("PUT", "/v1/retention-policies/"+resource, body, nil)
		if status, ok := err.(*StatusError); !ok || status.Status != http.StatusServiceUnavailable {
			break
		}
	}
	return err
}

// Admit sets the range of a network policy.
func (c *Client) Admit(networkPolicyID, cidr string) error {
	return c.send("PATCH", "/v1/network-policies/"+networkPolicyID, map[string]any{"source_cidr": cidr}, nil)
}

// ClearOutboundAuth clears the outbound authentication of a trunk.
func (c *Client) ClearOutboundAuth(trunkID string) error {
	return c.send("DELETE", "/v1/trunks/"+trunkID+"/outbound-auth", nil, nil)
}

// RotateSecret returns the new secret. It is never retried: if the answer is lost, a second rotation would replace the new
// secret.
func (c *Client) RotateSecret(webhookID string) (string, error) {
	var data struct {
		Secret string `json:"signing_secret"`
	}
	err := c.send("POST", "/v1/webhooks/"+webhookID+"/rotate-secret", nil, &data)
	return data.Secret, err
}

// Webhooks returns the ids of all webhooks.
func (c *Client) Webhooks() ([]string, error) {
	var data struct {
		Webhooks []struct {
			ID string `json:"id"`
		} `json:"webhooks"`
	}
	err := c.send("GET", "/v1/webhooks/", nil, &data)
	var ids []string
	for _, webhook := range data.Webhooks {
		ids = append(ids, webhook.ID)
	}
	return ids, err
}

// send stores the answer's data in data, unless that is nil.
func (c *Client) send(method, path string, body, data any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.BaseURL+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return &StatusError{response.StatusCode}
	}
	if data == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(&struct {
		Data any `json:"data"`
	}{data})
}
