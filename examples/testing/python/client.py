"""The program under test: a client of the five operations."""

import json
import urllib.error
import urllib.request


class Client:
    def __init__(self, base_url, token):
        self.base_url = base_url
        self.token = token

    def keep(self, resource, days):
        """Sets how long data is kept. A 503 is retried, because a PUT may be carried out twice."""
        body = {"retention_days": days, "enabled": True}
        for attempts_left in (2, 1, 0):
            try:
                return self._send("PUT", f"/v1/retention-policies/{resource}", body)
            except urllib.error.HTTPError as error:
                if error.code != 503 or attempts_left == 0:
                    raise

    def admit(self, network_policy_id, cidr):
        return self._send("PATCH", f"/v1/network-policies/{network_policy_id}", {"source_cidr": cidr})

    def clear_outbound_auth(self, trunk_id):
        self._send("DELETE", f"/v1/trunks/{trunk_id}/outbound-auth")

    def rotate_secret(self, webhook_id):
        """Never retried: if the answer is lost, a second rotation would replace the new secret."""
        return self._send("POST", f"/v1/webhooks/{webhook_id}/rotate-secret")["signing_secret"]

    def webhooks(self):
        return self._send("GET", "/v1/webhooks/")["webhooks"]

    def _send(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base_url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as response:
            answer = response.read()
        return json.loads(answer)["data"] if answer else None
