package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"testing"
)

// plane is the embedded control plane as a process of the tests.
var plane struct {
	URL    string
	Tokens map[string]string
}

func TestMain(m *testing.M) {
	os.Exit(withControlPlane(m.Run))
}

func withControlPlane(run func() int) int {
	// What `npx voiceplane serve` runs, without npx's own process, which would have to be ended as well.
	command := exec.Command("node_modules/.bin/voiceplane", "serve", "--port", "0", "--format", "json")
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err == nil {
		defer command.Wait()
		defer command.Process.Signal(os.Interrupt)
		// One line, once it listens. Nothing if it does not start: then stderr says why.
		err = json.NewDecoder(stdout).Decode(&plane)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// control requests state, journal, faults, clock and counters: see docs/guides/test-your-stack.md.
func control(t *testing.T, method, route string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, plane.URL+"/_control/"+route, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s answered %d", method, route, response.StatusCode)
	}
	if answer == nil {
		return
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		t.Fatal(err)
	}
}

type fault struct {
	Operation  string `json:"operation"`
	Status     int    `json:"status,omitempty"`
	Connection string `json:"connection,omitempty"`
	Commit     bool   `json:"commit,omitempty"`
	Count      int    `json:"count,omitempty"`
}

type entry struct {
	Method  string
	Path    string
	Status  int
	Refusal string
}

type counters map[string]struct{ Total int }
