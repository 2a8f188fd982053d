/** With PULUMI_SKIP_CHECKPOINTS, the engine saves the state only when a run ends: a rotation whose run dies would be lost. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;
const refusal =
  "a rotation is refused while PULUMI_SKIP_CHECKPOINTS is set: the state is saved only when the run ends, so the new secret would " +
  "be lost if the run died. Unset the variable and run the update again.";
const env = { PULUMI_SKIP_CHECKPOINTS: "true" };

const program = (retentionDays: number, quarter: string) => ({
  resources: {
    recordings: {
      type: "voiceplane:RetentionPolicy",
      properties: { resource: "recordings", onCreate: "overwrite", retentionDays },
    },
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "adopt", triggers: { quarter } },
    },
  },
});

test.each(["dynamic", "native"] as const)(
  "without checkpoints, the %s provider sends settings, and refuses rotations: at preview, or, after a lost answer, in the update",
  async (provider) => {
    const stack = await project();
    stack.declare(provider, program(90, "2026-Q3"));
    await stack.up({ env });
    expect(stack.organization.requests()).toEqual([put(90)]);

    stack.declare(provider, program(90, "2026-Q4"));
    expect(await stack.preview({ env, fails: true })).toContain(refusal);
    expect(stack.organization.requests()).toEqual([]);

    stack.organization.control.setFaults([{ operation: "rotateWebhookSecret", connection: "reset", commit: true }]);
    await stack.up({ fails: true });
    expect(stack.organization.requests()).toEqual([rotation]);
    stack.organization.control.setFaults([]);
    stack.declare(provider, program(91, "2026-Q3"));
    expect(await stack.up({ env, fails: true, flags: ["--continue-on-error"] })).toContain(refusal);
    expect(stack.organization.requests()).toEqual([put(91)]);
    expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "uncertain" });
  },
);
