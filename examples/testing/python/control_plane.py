"""The embedded control plane as a process of the tests' own."""

import json
import re
import subprocess
import urllib.request


class ControlPlane:
    def __init__(self):
        # What `npx voiceplane serve --port 0` runs, without a process in between that would have to be ended as well.
        command = ["node_modules/.bin/voiceplane", "serve", "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url, self.token = self._announced()

    def _announced(self):
        """The address and the token that may do everything, from what is printed once it listens."""
        printed = ""
        for line in self._process.stdout:
            printed += line
            url = re.search(r'http://[^\s"/]+', printed)
            token = re.search(r"vp_dev_full", printed)
            if url and token:
                return url[0], token[0]
        raise RuntimeError("the control plane did not start")

    def control(self, method, route, body=None):
        """State, journal, faults, clock and counters: see docs/control-plane.md."""
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
