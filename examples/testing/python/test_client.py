import unittest
import urllib.error

from client import Client
from control_plane import ControlPlane

# Objects of every new control plane. Their ids never change.
NETWORK_POLICY = "a0000000-0000-4000-8000-000000000001"
TRUNK = "b0000000-0000-4000-8000-000000000001"
WEBHOOK = "c0000000-0000-4000-8000-000000000001"


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = ControlPlane()
        cls.addClassCleanup(cls.plane.close)

    def setUp(self):
        self.plane.control("POST", "reset")
        self.client = Client(self.plane.url, self.plane.tokens["full"])

    def test_every_operation_is_carried_out(self):
        self.client.keep("recordings", 90)
        self.client.admit(NETWORK_POLICY, "203.0.113.0/25")
        self.client.clear_outbound_auth(TRUNK)
        secret = self.client.rotate_secret(WEBHOOK)
        webhooks = self.client.webhooks()

        self.assertEqual(len(secret), 43)
        self.assertIn(WEBHOOK, [webhook["id"] for webhook in webhooks])
        self.assertEqual(
            self.plane.requests(),
            [
                ("PUT", "/v1/retention-policies/recordings", 200),
                ("PATCH", f"/v1/network-policies/{NETWORK_POLICY}", 200),
                ("DELETE", f"/v1/trunks/{TRUNK}/outbound-auth", 204),
                ("POST", f"/v1/webhooks/{WEBHOOK}/rotate-secret", 200),
                ("GET", "/v1/webhooks/", 200),
            ],
        )
        state = self.plane.control("GET", "state")
        self.assertEqual(state["retentionPolicies"][0]["retention_days"], 90)
        self.assertEqual(state["trunks"][0]["outbound_auth"], "cleared")

    def test_a_token_without_the_right_changes_nothing(self):
        lacking = Client(self.plane.url, self.plane.tokens["withoutTrunksWrite"])
        with self.assertRaises(urllib.error.HTTPError) as refused:
            lacking.clear_outbound_auth(TRUNK)
        refused.exception.close()
        self.assertEqual(refused.exception.code, 403)
        [entry] = self.plane.control("GET", "journal")
        self.assertEqual(entry["refusal"], "credential scope required: trunks:write")
        self.assertEqual(self.plane.control("GET", "counters"), {})

    def test_a_503_is_tried_again(self):
        fault = {"operation": "putRetentionPolicy", "status": 503, "count": 1}
        self.plane.control("PUT", "faults", [fault])
        self.client.keep("recordings", 90)
        self.assertEqual([status for _, _, status in self.plane.requests()], [503, 200])

    def test_a_rotation_whose_answer_is_lost_is_not_sent_again(self):
        fault = {"operation": "rotateWebhookSecret", "connection": "reset", "commit": True}
        self.plane.control("PUT", "faults", [fault])
        with self.assertRaises(OSError):
            self.client.rotate_secret(WEBHOOK)
        self.assertEqual(self.plane.control("GET", "counters")["rotateWebhookSecret"]["total"], 1)


if __name__ == "__main__":
    unittest.main()
