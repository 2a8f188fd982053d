import { ids } from "./support/organization";
import { project } from "./support/project";

const crmRotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const billingRotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret";
const lostAnswer = { operation: "rotateWebhookSecret", effect: "reset", commit: true, count: 2 } as const;

const crm = (quarter: string) => `
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", triggers: { quarter: "${quarter}" } });
  exports.secrets = require("@pulumi/pulumi").jsonStringify([crm.secret, crm.previousSecret]);`;
const billing = `
  const billing = new WebhookSecret("billing", {
    webhookId: "${ids.billing}", rotateOnCreate: true, initialSecret: "canary-of-the-initial-secret",
  });
  exports.billing = billing.previousSecret;`;

test("a rotation whose answer is lost, even the first one, is never repeated automatically; the next up, even after a refresh, rotates once more and says why", async () => {
  const stack = await project({ program: crm("2026-Q3") });
  /** The current and the previous secret of the webhook "crm". */
  const secrets = async () => JSON.parse((await stack.reveal("secrets")) ?? "[]") as (string | null)[];
  await stack.up();
  const [first] = await secrets();
  stack.organization.forgetRequests();

  stack.organization.control.setFaults([lostAnswer]);
  stack.program(crm("2026-Q4") + billing);
  const failed = await stack.up({ fails: true, flags: ["--continue-on-error"] });
  expect(failed).toContain("Whether the secret was rotated is unknown, so it was not tried again");
  expect(stack.organization.requests().sort()).toEqual([crmRotation, billingRotation]);
  expect(stack.state().crm?.outputs?.rotationState).toBe("uncertain");
  // A lost first rotation is stored as half-made, with the initial secret as the known one.
  expect(stack.state().billing?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 0 });

  const again = await stack.up({ flags: ["--refresh", "--diff"] });
  expect(again).toContain("~ pulumi-nodejs:dynamic/voiceplane:WebhookSecret: (update)");
  expect(again).toContain(
    "the answer to its last rotation was lost, so its secret is not known for sure: the update rotates it once more.",
  );
  expect(stack.organization.requests().sort()).toEqual(["GET /v1/webhooks/", crmRotation, billingRotation]);
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 2 });
  expect(await secrets()).toEqual([expect.stringMatching(/^[\w-]{43}$/), first]);
  expect(await stack.reveal("billing")).toBe("canary-of-the-initial-secret");
  expect(stack.everything().includes("canary-of-the-initial-secret")).toBe(false);

  expect(await stack.up()).toContain("3 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});
