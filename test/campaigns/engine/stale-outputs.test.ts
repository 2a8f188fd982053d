/** Outputs of a stack after an update that was interrupted behind a rotation, with the real engine. */
import type { Fault } from "../../../src/control-plane/index";
import { organizationProject, webhook } from "../../support/engine/apply";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { doctor, voiceplane } from "../../support/engine/voiceplane";
import { expectCurrentSecret } from "../../support/faults/aftermath";
import { unanswered, upDuring } from "../../support/faults/deaths";

/** Long enough to interrupt, short enough to wait for. */
const slow: Fault = { operation: "rotateWebhookSecret", latencyMs: 2_000, count: 1 };

/** Starts an `up`, and sends SIGINT once the server has received a request for each fault. */
async function interruptedBy(stack: Project, ...faults: readonly Fault[]): Promise<void> {
  const up = await upDuring(stack, faults);
  up.signal("SIGINT");
  expect((await up.finished).code).not.toBe(0);
}

const status = async (stack: Project, env: NodeJS.ProcessEnv = {}) =>
  voiceplane(stack, ["status", "--stack", "dev"], env);

const stale = (output: string) => `the stack output ${output} has a secret that was rotated since: crm`;

const preview = async (stack: Project, ...args: readonly string[]) =>
  voiceplane(stack, ["preview", "--stack", "dev", ...args]);

/** Expects that the output is named, without a secret, until the next `up` has registered the outputs. */
async function expectStale(stack: Project, output: string, resource = "crm"): Promise<void> {
  expectCurrentSecret(stack, resource);
  const { code, stdout } = await status(stack);
  expect(code).toBe(2);
  expect(stdout).toContain(`\nstale: ${stale(output)}\n`);
  const [line, ...others] = await doctor(stack, "state");
  expect(line).toBe(
    `failure state ${stale(output)}. Run \`pulumi up\`, which registers the outputs, and read them again wherever they are used.`,
  );
  expect(others).toEqual([]);
  const previewed = await preview(stack, "--format", "markdown");
  expect(previewed.stdout).toContain(`#### Outputs\n\n- ${stale(output)}; an update registers it again\n`);
  expect(previewed.stdout).toContain("other change");
  const { outputs } = stack.inClear().find(({ urn }) => urn.endsWith(`::${resource}`)) ?? {};
  expect(outputs?.previousSecret).toMatch(/^[\w-]{20,}$/);
  for (const secret of [outputs?.secret, outputs?.previousSecret]) {
    expect(`${stdout} ${line ?? ""} ${previewed.stdout}`).not.toContain(secret);
  }

  await stack.up();
  const after = await status(stack);
  expect({ code: after.code, stdout: after.stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/\n(\d) objects?: \1 ok\n$/) as string,
  });
  expect(await doctor(stack, "state")).toEqual([expect.stringMatching(/^ok state \d objects?$/)]);
  expect((await preview(stack, "--format", "summary")).stdout).toBe("preview: no changes\n");
}

test("dynamic: after one Ctrl-C during a rotation, the resource has the new secret and the output the old one", async () => {
  const program = (round: string) => `
    const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { round: "${round}" } });
    exports.crmSecret = crm.secret;
    exports.previous = crm.previousSecret;`;
  const stack = await project({ program: program("0") });
  await stack.up();
  const old = stack.reveal("crmSecret");
  stack.program(program("1"));
  await interruptedBy(stack, slow);
  expect(stack.reveal("crmSecret")).toBe(old);

  // What the engine shows by itself.
  stack.organization.forgetRequests();
  expect(await stack.run(["preview", "--stack", "dev"])).toContain("2 unchanged");

  const closed = await status(stack, { PULUMI_CONFIG_PASSPHRASE: undefined });
  expect(closed.code).toBe(0);
  expect(closed.stdout).toContain(
    "\nthe stack's outputs were not compared with the secrets, because they cannot be decrypted here\n1 object: 1 ok\n",
  );

  expect((await preview(stack, "--format", "summary")).stdout).toBe("preview: no requests, 1 other change\n");
  await expectStale(stack, "crmSecret");
  expect(stack.organization.requests().filter((request) => !request.startsWith("GET "))).toEqual([]);
  expect(stack.reveal("crmSecret")).not.toBe(old);
  expect(stack.reveal("previous")).toBe(old);
});

test("without code: the output with the secrets of all webhooks is named", async () => {
  const stack = await organizationProject(webhook("0"));
  await stack.up();
  stack.write("organization.yaml", webhook("1"));
  await interruptedBy(stack, slow);
  await expectStale(stack, "webhookSecrets", "org-crm");
});

/** The second rotation is never answered. The first one is stored by then. */
const second: Fault[] = [{ operation: "rotateWebhookSecret", count: 1 }, unanswered];

const inJavaScript = (round: string) => `
  const triggers = { round: "${round}" };
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers });
  const billing = new WebhookSecret("billing", { webhookId: "${ids.billing}", onCreate: "rotate", triggers }, { dependsOn: crm });
  exports.hooks = [{ url: crm.secret.apply((secret) => "https://hooks.example.com/" + secret) }];
  exports.billing = billing.secret;`;

const inYaml = (round: string) => {
  const of = (webhookId: string, options = {}) => ({
    type: "voiceplane:WebhookSecret",
    properties: { webhookId, onCreate: "rotate", triggers: { round } },
    options,
  });
  return {
    resources: { crm: of(ids.crm), billing: of(ids.billing, { dependsOn: ["${crm}"] }) },
    outputs: { crmSecret: "${crm.secret}", billingSecret: "${billing.secret}" },
  };
};

test.each([
  ["JavaScript", "hooks"],
  ["YAML", "crmSecret"],
])(
  "native, in %s: after one Ctrl-C between two rotations, the first one's output is stale, and the second is uncertain",
  async (language, output) => {
    const stack = await project();
    const declare = (round: string): void => {
      if (language === "YAML") stack.yaml(inYaml(round));
      else stack.native(inJavaScript(round));
    };
    declare("0");
    await stack.up();
    declare("1");
    await interruptedBy(stack, ...second);
    expect(stack.state().billing?.outputs).toMatchObject({ rotationState: "uncertain" });
    await expectStale(stack, output);
  },
);
