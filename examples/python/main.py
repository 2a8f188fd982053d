"""One organization, declared in Python. Run: python main.py preview|up|destroy"""

from __future__ import annotations

import re
import sys
from typing import Any, Mapping

import pulumi
from pulumi import automation


class Organization(pulumi.ComponentResource):
    """The settings of one organization. The plugin registers a resource for each entry."""

    webhookSecrets: pulumi.Output[Mapping[str, str]]

    def __init__(self, name: str, settings: Mapping[str, Any], opts: pulumi.ResourceOptions | None = None):
        # A property that is None is an output. The plugin sets it, and marks it as secret.
        outputs = {"webhookSecrets": None}
        super().__init__("voiceplane:index:Organization", name, {**settings, **outputs}, opts, remote=True)


class WebhookSecret(pulumi.CustomResource):
    """The signing secret of one webhook."""

    secret: pulumi.Output[str]

    def __init__(self, name: str, arguments: Mapping[str, Any], opts: pulumi.ResourceOptions | None = None):
        super().__init__("voiceplane:index:WebhookSecret", name, {**arguments, "secret": None}, opts)


def program() -> None:
    acme = Organization(
        "acme",
        {
            "onCreate": "overwrite",
            "retention": {
                "recordings": {"days": 90},
                "audit_events": {"days": 2555, "onDelete": "disable"},
            },
            "networkPolicies": {
                "office": {
                    "id": "a0000000-0000-4000-8000-000000000001",
                    "name": "Office",
                    "sourceCidr": "203.0.113.0/24",
                    "mustInclude": ["203.0.113.7"],
                },
            },
            "trunks": {
                # `up` clears its outbound credentials, and nothing can restore them.
                "carrier-a": {"id": "b0000000-0000-4000-8000-000000000001", "outboundAuth": "cleared"},
            },
            "webhooks": {
                "crm": {"id": "c0000000-0000-4000-8000-000000000001", "onCreate": "rotate", "rotateAfter": "90d"},
            },
        },
    )
    # A single resource can have options of its own. With this one, its removal calls nothing and warns of nothing.
    billing = WebhookSecret(
        "billing",
        {"webhookId": "c0000000-0000-4000-8000-000000000002", "onCreate": "rotate", "rotateAfter": "30d"},
        pulumi.ResourceOptions(retain_on_delete=True),
    )
    pulumi.export("webhookSecrets", acme.webhookSecrets)
    pulumi.export("billingSecret", billing.secret)


class Display:
    """Prints what happens, one line for each change, and keeps the errors for the end. It shows no values."""

    # First lines of messages that follow an error, and say nothing new.
    CONSEQUENCE = re.compile(
        "update failed|preview failed|an unhandled error occurred: .*"
        "|.*resource monitor shut down|.*the client connection is closing"
    )

    def __init__(self) -> None:
        self.errors: list[str] = []

    def __call__(self, event: automation.EngineEvent) -> None:
        if event.resource_pre_event:
            self._change(event.resource_pre_event.metadata)
        if event.diagnostic_event:
            self._message(event.diagnostic_event)
        if event.summary_event:
            counts = event.summary_event.resource_changes
            print(", ".join(f"{count} {operation}" for operation, count in counts.items()), flush=True)

    def _change(self, step: automation.StepEventMetadata) -> None:
        if step.op == automation.OpType.SAME or step.type.startswith("pulumi:"):
            return
        changed = [f"({', '.join(step.detailed_diff)})"] if step.detailed_diff else []
        print(step.op.value, step.type, step.urn.rpartition("::")[2], *changed, flush=True)

    def _message(self, diagnostic: automation.DiagnosticEvent) -> None:
        message = re.sub(r"<\{%.*?%\}>", "", diagnostic.message).strip()  # without marks for colours
        if diagnostic.severity == "warning":
            print(f"warning: {message}", flush=True)
        elif diagnostic.severity == "error" and not self.CONSEQUENCE.fullmatch(message.partition("\n")[0]):
            self.errors.append(message)


def run(operation: str) -> None:
    display = Display()
    try:
        stack = automation.create_or_select_stack("dev", "voiceplane-python", program)
        # The organization's name in the state. Without it, the address is the name, and could not change later.
        stack.set_config("voiceplane:organization", automation.ConfigValue("acme"))
        getattr(stack, operation)(on_event=display)
    except automation.CommandError as error:
        # Before the engine starts, for example without a passphrase, the message is on stderr.
        sys.exit("\n".join(display.errors) or str(error).rpartition("stderr:")[2].strip())
    except FileNotFoundError as error:
        sys.exit(f"the Pulumi CLI is needed: {error}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("preview", "up", "destroy"):
        sys.exit(__doc__)
    run(sys.argv[1])
