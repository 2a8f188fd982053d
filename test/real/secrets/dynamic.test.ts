import { createHash } from "node:crypto";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";

const initialSecret = "canary-of-the-initial-secret";

const program = (quarter: string) => `
  const { execSync } = require("node:child_process");
  const { writeFileSync } = require("node:fs");
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", triggers: { quarter: "${quarter}" } });
  const billing = new WebhookSecret("billing", {
    webhookId: "${ids.billing}", rotateOnCreate: true, initialSecret: "${initialSecret}",
  });
  const other = new Provider("other", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_second_full" });
  new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 }, { provider: other });
  new NetworkPolicy("office", { networkPolicyId: "${ids.office}", name: "HQ" });
  new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", cleared: false });
  exports.secret = crm.secret;
  exports.previousSecret = crm.previousSecret;
  // Once the outputs are there, all processes of an operation are. Each command is a session of its own: other tests are not seen.
  const own = 'ps -ww -o args -s "$(ps -o sid= -p $$ | tr -d " ")"';
  crm.rotationCount.apply(() => writeFileSync("processes.log", execSync(own)));`;

const sha256 = (text = "") => createHash("sha256").update(text).digest("hex");

// test/real/secrets/commands.test.ts covers previews and the commands that only read.
test("tokens and secrets are never in plain text in the output, the state, a log or the process list, and the providers in the state are the frozen texts", async () => {
  const stack = await project({ program: program("2026-Q3"), env: { VOICEPLANE_TOKEN: undefined } });
  await stack.run(["config", "set", "--secret", "voiceplane:token", "vp_dev_full", "--stack", "dev"]);
  /** The secrets that the control plane signs with. */
  const inUse = () =>
    stack.organization.control.state().webhooks.find(({ id }) => id === ids.crm)?.signing_secret_sha256;

  await stack.up({ flags: ["--diff", "--event-log", "up-events.log"] });
  const before = inUse();
  stack.program(program("2026-Q4"));
  await stack.run(["up", "--yes", "--skip-preview", "--json", "--stack", "dev"]);
  await stack.refresh({ flags: ["--diff", "--event-log", "refresh-events.log"] });
  await stack.run(["stack", "output", "--stack", "dev"]);

  const [first, second] = [await stack.reveal("previousSecret"), await stack.reveal("secret")];
  expect([sha256(first), sha256(second)]).toEqual([before, inUse()]);
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(second).toMatch(/^[\w-]{43}$/);
  expect(second).not.toBe(first);
  const everything = stack.everything();
  expect(everything).toContain("pulumi-language-nodejs");
  const canaries = { first, second, initialSecret, token: "vp_dev_full", secondToken: "vp_dev_second_full" };
  // Compares names, because a failure must not print the secrets.
  const found = Object.entries(canaries).filter(([, canary]) => canary !== undefined && everything.includes(canary));
  expect(found.map(([name]) => name)).toEqual([]);
  expect(stack.state().crm?.outputs).toMatchObject({
    secret: "[secret]",
    previousSecret: "[secret]",
    rotationCount: 2,
    rotationState: "rotated",
  });
  expectFrozenProviders(stack);
});

/** In the state, the provider of each of the four resources is the frozen text. */
function expectFrozenProviders(stack: Project): void {
  const frozen = (name: string) => {
    const { type, inputs, outputs } = stack.state()[name] ?? {};
    return [type, inputs?.__provider, outputs?.__provider];
  };
  const retention = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")';
  const network = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/network-policy")';
  const trunk = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/trunk-outbound-auth")';
  const webhook = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/webhook-secret")';
  expect(frozen("recordings")).toEqual(["pulumi-nodejs:dynamic/voiceplane:RetentionPolicy", retention, retention]);
  expect(frozen("office")).toEqual(["pulumi-nodejs:dynamic/voiceplane:NetworkPolicy", network, network]);
  expect(frozen("carrier")).toEqual(["pulumi-nodejs:dynamic/voiceplane:TrunkOutboundAuth", trunk, trunk]);
  expect(frozen("crm")).toEqual(["pulumi-nodejs:dynamic/voiceplane:WebhookSecret", webhook, webhook]);
}
