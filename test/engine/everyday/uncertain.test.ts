/** Rotations whose answer is lost, and secrets of which the state has the only copy, with plain `pulumi up`. */
import { ids } from "../../support/engine/organization";
import { holdToPlans, project } from "../../support/engine/project";

holdToPlans();

const crmRotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const billingRotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret";
const lostAnswers = { operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 99 } as const;
const notSent =
  "a rotation earlier in this run may have been carried out, so nothing was sent. " +
  "Run `pulumi up` again: it rotates once more.";

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
const adopted = (quarter: string, more = "", opts = "") => `
  const crm = new WebhookSecret("crm", {
    webhookId: "${ids.crm}", onCreate: "adopt", triggers: { quarter: "${quarter}" }, ${more}
  }, { ${opts} });
  exports.secrets = require("@pulumi/pulumi").jsonStringify([crm.secret, crm.previousSecret]);`;

test.each([
  ["dynamic", "pulumi-nodejs:dynamic/voiceplane", '~ quarter: "2026-Q3" => "2026-Q4"'],
  ["native", "voiceplane:index", 'rotationState: "uncertain"'],
] as const)(
  "with the %s provider, a rotation whose answer is lost, even the first one, is never repeated automatically, not even by an error hook; the next up, even after a refresh, rotates once more and says why",
  async (provider, type, previewed) => {
    const stack = await project();
    const declare = (program: string): void => {
      stack[provider](program);
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
      "it is unknown whether its last rotation was carried out, so its secret is not known for sure: the update rotates it once more.";
    stack.organization.control.setFaults([]);
    const preview = await stack.preview();
    expect(preview).toContain(`WebhookSecret "${ids.crm}" of acme: ${again}`);
    expect(preview).toContain("~ 2 to update");
    expect(preview).toContain(previewed);
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

test.each(["dynamic", "native"] as const)(
  "with the %s provider, a new initialSecret ends the doubt about a lost rotation without a request, also the doubt that only this machine remembers",
  async (provider) => {
    const stack = await project();
    const { control } = stack.organization;
    const secrets = () => JSON.parse(stack.reveal("secrets") ?? "[]") as (string | null)[];
    const declare = (quarter: string, more = ""): void => {
      stack[provider](adopted(quarter, more));
    };
    declare("2026-Q3", 'initialSecret: "canary-0",');
    await stack.up();
    control.setFaults([lostAnswers]);
    declare("2026-Q4", 'initialSecret: "canary-0",');
    await stack.up({ fails: true });
    control.setFaults([]);
    stack.organization.forgetRequests();

    declare("2026-Q4", 'initialSecret: "canary-1",');
    const { code, stdout } = await stack.voiceplane(["preview"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /no requests, 1 other change\n[^]* {2}~ {2}crm: takes the secret that you gave, without a request/,
    );
    expect(await stack.preview()).toContain("the update takes the initialSecret that you gave, and sends nothing.");
    await stack.up();
    expect(secrets()).toEqual(["canary-1", "canary-0"]);
    expect(await stack.up()).toMatch(/unchanged/);
    expect((await stack.voiceplane(["status", "--fail-on", "problems"])).code).toBe(0);
    expect(stack.organization.requests()).toEqual([]);

    // A run that dies while its rotation is on its way leaves a state that says nothing of it.
    control.setFaults([{ operation: "rotateWebhookSecret", hold: "before" }]);
    declare("2027-Q1", 'initialSecret: "canary-1",');
    const dying = stack.startUp();
    await control.held();
    dying.signal("SIGKILL");
    await dying.finished;
    control.setFaults([]);
    control.release();
    await stack.run(["cancel", "--yes"]);
    declare("2026-Q4", 'initialSecret: "canary-1",');
    // Nothing else changes, so the preview shows the property that says so.
    const details = await stack.preview();
    expect(details).toContain("~ 1 to update");
    if (provider === "native") expect(details).toMatch(/WebhookSecret: \(update\)[^]*rotationState/);
    declare("2026-Q4", 'initialSecret: "canary-2",');
    await stack.up({ flags: ["--refresh"] });
    expect(secrets()).toEqual(["canary-2", "canary-1"]);
    expect(await stack.up()).toMatch(/unchanged/);
    // That of the run that died.
    expect(stack.organization.requests().filter((request) => request.startsWith("POST"))).toEqual([crmRotation]);
  },
);

test("an adopted webhook that was rotated later keeps its only secret, whoever asks for its replacement: it is refused, or goes on from the old state", async () => {
  const stack = await project({ program: adopted("2026-Q3") });
  const secrets = () => JSON.parse(stack.reveal("secrets") ?? "[]") as (string | null)[];
  const refusal = (url: string) =>
    `WebhookSecret "${ids.crm}" of ${url}: the program declares this webhook again, without the secret that is in the state.`;
  await stack.up();
  stack.program(adopted("2026-Q4"));
  await stack.up();
  const [secret] = secrets();
  expect(stack.organization.requests()).toEqual([crmRotation]);

  const urn = stack.state().crm?.urn ?? "";
  expect(await stack.up({ fails: true, flags: ["--replace", urn] })).toContain(refusal("acme"));
  // The old state stays, for as many updates as it takes.
  expect(stack.deployment().resources).toContainEqual(expect.objectContaining({ delete: true }));
  stack.program(adopted("2026-Q4", `initialSecret: "${String(secret)}"`));
  expect(await stack.up()).toContain("still declared by this program, so deleting it here sent nothing.");
  expect(secrets()).toEqual([secret, null]);
  // initialSecret may go, as its name says.
  stack.native(adopted("2026-Q4", "", 'replaceOnChanges: ["triggers"]'));
  await stack.up();
  expect(secrets()).toEqual([secret, null]);
  expect(stack.organization.requests()).toEqual([]);

  // The plugin's diff was asked: the rotation that was meant is carried out, and the receiver has both secrets.
  stack.native(adopted("2027-Q1", "", 'replaceOnChanges: ["triggers"]'));
  expect(await stack.up()).toContain("+-1 replaced");
  expect(stack.organization.requests()).toEqual([crmRotation]);
  expect(secrets()).toEqual([expect.stringMatching(/^[\w-]{43}$/), secret]);
});
