/** Rotations whose answer is lost, with plain `pulumi up`. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const crmRotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const billingRotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret";
const lostAnswers = { operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 99 } as const;
const notSent =
  "a rotation earlier in this run may have been carried out, so nothing was sent. " +
  "Run the same update again: it rotates once more.";

/** An error hook that asks for each resource twice more, as a blanket retry on all resources does. */
const hooks = `
  const asked = {};
  const retry = new (require("@pulumi/pulumi").ErrorHook)("retry", async ({ name }) => {
    asked[name] = (asked[name] ?? 0) + 1;
    return asked[name] <= 2;
  });
  const opts = { hooks: { onError: [retry] } };`;
const crm = (quarter: string) => `${hooks}
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { quarter: "${quarter}" } }, opts);
  exports.secrets = require("@pulumi/pulumi").jsonStringify([crm.secret, crm.previousSecret]);`;
const billing = `
  const billing = new WebhookSecret("billing", {
    webhookId: "${ids.billing}", onCreate: "rotate", initialSecret: "canary-of-the-initial-secret",
  }, opts);
  exports.billing = billing.previousSecret;`;
test.each([
  ["dynamic", "pulumi-nodejs:dynamic/voiceplane"],
  ["native", "voiceplane:index"],
] as const)(
  "with the %s provider, a rotation whose answer is lost, even the first one, is never repeated automatically, not even by an error hook; the next up, even after a refresh, rotates once more and says why",
  async (provider, type) => {
    const stack = await project();
    const declare = (program: string): void => {
      stack.declare(provider, program);
    };
    /** The current and the previous secret of the webhook "crm". */
    const secrets = () => JSON.parse(stack.reveal("secrets") ?? "[]") as (string | null)[];
    declare(crm("2026-Q3"));
    await stack.up();
    const [first] = secrets();
    stack.organization.forgetRequests();

    stack.organization.control.setFaults([lostAnswers]);
    declare(crm("2026-Q4") + billing);
    const failed = await stack.up({ fails: true, flags: ["--continue-on-error"] });
    expect(failed).toContain("retrying update due to on-error hook request");
    expect(failed).toContain("retrying create due to on-error hook request");
    for (const id of [ids.crm, ids.billing]) {
      expect(failed).toContain(`WebhookSecret "${id}" of acme: ${notSent}`);
    }
    expect(stack.organization.requests().sort()).toEqual([crmRotation, billingRotation]);
    expect(stack.state().crm).toMatchObject({
      initErrors: [expect.stringContaining(notSent)],
      inputs: { triggers: { quarter: "2026-Q3" } },
      outputs: { rotationState: "uncertain", rotationCount: 1, secret: "[secret]" },
    });
    // A lost first rotation is stored as half-made, with the initial secret as the known one.
    expect(stack.state().billing?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 0 });

    const again =
      "it is unknown whether its last rotation was carried out, so its secret may no longer work. It is sent once more.";
    stack.organization.control.setFaults([]);
    const preview = await stack.preview();
    expect(preview).toContain(`WebhookSecret "${ids.crm}" of acme: ${again}`);
    expect(preview).toContain("~ 2 to update");
    expect(preview).toContain('~ quarter: "2026-Q3" => "2026-Q4"');
    expect(stack.organization.requests()).toEqual([]);

    // Also where the engine has forgotten that it was half-made, and the program is what it was before.
    declare(crm("2026-Q3") + billing);
    const printed = await stack.up({ flags: ["--refresh", "--diff"] });
    expect(printed).toContain(`~ ${type}:WebhookSecret: (update)`);
    expect(printed).toContain(again);
    expect(stack.organization.requests().sort()).toEqual([crmRotation, billingRotation]);
    expect(stack.state().crm).not.toHaveProperty("initErrors");
    expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 2 });
    expect(secrets()).toEqual([expect.stringMatching(/^[\w-]{43}$/), first]);
    expect(stack.reveal("billing")).toBe("canary-of-the-initial-secret");
    expect(stack.everything().includes("canary-of-the-initial-secret")).toBe(false);
  },
);
