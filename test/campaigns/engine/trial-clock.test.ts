/** A due date tried against the embedded control plane: its clock moves, and the run follows it. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const env = { VOICEPLANE_TRIAL_CLOCK: "1" };
const days = 86_400_000;
const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

const program = {
  resources: {
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "adopt", rotateAfter: "90d" },
    },
  },
};

test.each(["dynamic", "native"] as const)(
  "with the %s provider, a clock moved by 91 days makes a rotation due, once",
  async (provider) => {
    const stack = await project({ env });
    stack.declare(provider, program);
    await stack.up();
    expect(stack.organization.requests()).toEqual([]);

    stack.organization.control.advanceClock(91 * days);
    const unmoved = await stack.preview({ env: { VOICEPLANE_TRIAL_CLOCK: undefined } });
    expect(unmoved).not.toContain("rotateOn");
    expect(await stack.preview()).toMatch(/~ rotateOn: +"?\d{4}-\d\d-\d\d"? => "?\d{4}-\d\d-\d\d"?/);
    expect(stack.organization.requests()).toEqual([]);

    await stack.up();
    // Due by the server's clock too, which any of its answers tells.
    expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/", rotation]);
    const { crm } = stack.state();
    const moved = new Date(Date.now() + 91 * days).toISOString().slice(0, 10);
    expect(String(crm?.outputs?.rotatedAt)).toContain(moved.slice(0, 7));

    expect(await stack.up()).toContain("2 unchanged");
    expect(stack.organization.requests()).toEqual([]);
  },
);

test("at another server, the variable stops the run before anything is sent", async () => {
  const stack = await project({
    program: 'new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });',
    env: { ...env, VOICEPLANE_BASE_URL: "https://voice.example.com" },
  });
  expect(await stack.up({ fails: true })).toContain(
    "VOICEPLANE_TRIAL_CLOCK is set, which is for trials with `voiceplane serve` on this machine, and the base URL is another server's: unset the variable",
  );
  expect(stack.organization.requests()).toEqual([]);
});
