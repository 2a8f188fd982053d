"""The embedded control plane as a process of the tests."""

import json
import subprocess
import urllib.request


class ControlPlane:
    def __init__(self):
        # What `npx voiceplane serve` runs, without npx's own process, which would have to be ended as well.
        command = ["node_modules/.bin/voiceplane", "serve", "--port", "0", "--format", "json"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        # One line, once it listens. Nothing if it does not start: then stderr says why.
        started = json.loads(self._process.stdout.readline() or "{}")
        self.url = started["url"]
        self.tokens = started["tokens"]

    def control(self, method, route, body=None):
        """State, journal, faults, clock and counters: see docs/guides/test-your-stack.md."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_control/{route}", data, method=method)
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def requests(self):
        return [(entry["method"], entry["path"], entry["status"]) for entry in self.control("GET", "journal")]

    def close(self):
        self._process.terminate()
        self._process.wait(timeout=10)
        self._process.stdout.close()
