/** The scenarios, in recording order: each one begins with the state that the previous ones left. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const office = "a0000000-0000-4000-8000-000000000001";
const runners = "a0000000-0000-4000-8000-000000000002";
const carrierA = "b0000000-0000-4000-8000-000000000001";
const carrierB = "b0000000-0000-4000-8000-000000000002";
const crm = "c0000000-0000-4000-8000-000000000001";
const billing = "c0000000-0000-4000-8000-000000000002";

const prelude = `
const pulumi = require("@pulumi/pulumi");
const { Organization, Provider, RetentionPolicy, NetworkPolicy, TrunkOutboundAuth, WebhookSecret } = require("pulumi-voiceplane");

/** A resource of another provider. */
class Note extends pulumi.dynamic.Resource {
  constructor(name, text) {
    const outs = { text, lines: undefined };
    super({ create: async (inputs) => ({ id: "note", outs: { ...inputs, lines: 1 } }) }, name, outs);
  }
}
`;

const organization = ({
  recordings = "days: 365",
  audit = "days: 2555",
  conversations = 'days: 30, onDelete: "disable", reassertAfter: "7d"',
  officePolicy = 'name: "Office", sourceCidr: "203.0.113.0/24", onDelete: { sourceCidr: "203.0.113.0/25" }',
  runnersPolicy = 'sourceCidr: "2001:db8::/48", mustInclude: ["2001:db8::7"]',
  carrierAAuth = 'outboundAuth: "tracked", onDelete: "clear"',
  carrierBAuth = 'outboundAuth: "cleared", triggers: { year: 2026 }',
  crmSecret = 'triggers: { quarter: "2026-Q3" }, rotateAfter: "90d"',
  billingSecret = 'onCreate: "adopt"',
  note = '"one"',
} = {}) => `${prelude}
const initialSecret = pulumi.secret("canary-of-the-initial-secret");
const organization = new Organization("org", {
  onCreate: "overwrite",
  retention: {
    recordings: { ${recordings} },
    conversations: { ${conversations} },
    audit_events: { ${audit} },
  },
  networkPolicies: {
    office: { id: "${office}", ${officePolicy} },
    runners: { id: "${runners}", ${runnersPolicy} },
  },
  trunks: {
    "carrier-a": { id: "${carrierA}", ${carrierAAuth} },
    "carrier-b": { id: "${carrierB}", ${carrierBAuth} },
  },
  webhooks: {
    crm: { id: "${crm}", onCreate: "rotate", ${crmSecret} },
    billing: { id: "${billing}", initialSecret, ${billingSecret} },
  },
});
new Note("note", ${note});
new Note("diary", pulumi.secret("canary-of-another-provider"));
exports.webhookSecrets = organization.webhookSecrets;
`;

const edited = organization({
  recordings: "days: 90, allowShortening: { from: 365, to: 90 }",
  audit: 'days: 2555, onDelete: "disable"',
  conversations: 'days: 60, onDelete: "disable", reassertAfter: "7d"',
  officePolicy: 'name: "HQ", sourceCidr: "203.0.113.0/25"',
  runnersPolicy: 'sourceCidr: "2001:db8::/32", mustInclude: ["2001:db8::7"]',
  carrierAAuth: 'outboundAuth: "cleared"',
  carrierBAuth: 'outboundAuth: "cleared", triggers: { year: 2027 }',
  crmSecret: 'triggers: { quarter: "2026-Q4" }, rotateAfter: "90d"',
  note: '"two"',
});

/** Entries under other names, which are new resources for the engine. */
const renamedEntries = organization().replace("crm: {", "payments: {").replace('"carrier-b": {', "trunk: {");

const europe = `${edited}
const eu = new Provider("eu", { baseUrl: process.env.VOICEPLANE_BASE_URL });
new RetentionPolicy("eu-recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 30 }, { provider: eu });
new WebhookSecret("eu-billing", { webhookId: "${billing}", onCreate: "rotate", rotateAfter: "90d" }, { provider: eu });
`;

const renamed = `${prelude}
new RetentionPolicy("kept", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, allowShortening: { from: 365, to: 90 } });
new NetworkPolicy("moved", { networkPolicyId: "${office}", onCreate: "overwrite", sourceCidr: "203.0.113.0/24" });
new TrunkOutboundAuth("line", { trunkId: "${carrierB}", cleared: true });
new WebhookSecret("payments", { webhookId: "${crm}", onCreate: "rotate" });
`;

const unknown = `${organization({
  recordings: "days: fresh.lines, allowShortening: { from: 365, to: 1 }",
  officePolicy: 'name: "Office", sourceCidr: pulumi.interpolate`203.0.113.${fresh.lines}/32`',
  carrierBAuth: 'outboundAuth: "cleared", triggers: { year: fresh.lines }',
  crmSecret: 'triggers: { quarter: fresh.lines }, rotateAfter: "90d"',
}).replace("const organization", 'const fresh = new Note("fresh", "203.0.113.0/24");\nconst organization')}`;

const hidden = organization({
  carrierBAuth: 'outboundAuth: "cleared", triggers: { year: pulumi.secret(2027) }',
  crmSecret: 'triggers: { quarter: pulumi.secret("canary-of-a-trigger") }, rotateAfter: "90d"',
});

/** The same webhooks, each under the other's name. */
const swapped = organization()
  .replace("crm: {", "other: {")
  .replace("billing: {", "crm: {")
  .replace("other: {", "billing: {");

const fileProgram = 'module.exports = require("pulumi-voiceplane/stack");';

/** Every kind of problem that has its own line, and a key that would be markup in Markdown. */
const brokenFile = `retention:
  recordings: { days: 0 }
  audit_events: { days: "2555" }
onCreate: overwrite
networkPolicies:
  office: { id: 17, sourceCidr: 203.0.113.0/99 }
"@octocat <img src=x>": {}
`;

/** The pull request whose report the pages show: its organization file, and that of the branch before it. */
const proposed = readFileSync(
  new URL("../../test/unit/cli/report/previews/pull-request.yaml", import.meta.url),
  "utf8",
);
const merged = `retention:
  recordings: { days: 365 }
  conversations: { days: 30 }
onCreate: overwrite
networkPolicies:
  office: { id: ${office}, sourceCidr: 203.0.113.0/24, mustInclude: [203.0.113.7] }
webhooks:
  crm: { id: ${crm}, onCreate: rotate, triggers: { quarter: 2026-Q4 } }
`;

const thrower = (error) => `${prelude}
const secret = new pulumi.Config("previews").require("unused");
throw new ${error}(\`<b>@octocat</b> has the password \${secret}\\nand says \${secret} again\`);
`;

const othersRefused = `${prelude}
const provider = { check: async () => ({ failures: [{ property: "", reason: "canary-of-another-provider" }] }) };
new (class Theirs extends pulumi.dynamic.Resource {})(provider, "theirs", {});
`;

const policyPack = fileURLToPath(new URL("../../examples/policies", import.meta.url));
const elsewhere = { VOICEPLANE_BASE_URL: "https://voice.example.net/api" };
const recordings =
  "urn:pulumi:dev::previews::voiceplane:index:Organization$pulumi-nodejs:dynamic/voiceplane:RetentionPolicy::org-recordings";
const up = ["up", "--yes", "--skip-preview", "--json"];
const setName = (name) => ["config", "set", "voiceplane:organization", name];
const lostAnswers = ["rotateWebhookSecret", "putRetentionPolicy"].map((operation) => {
  return { operation, connection: "reset", commit: true };
});

/**
 * Without a `command`, a preview, as one document (.digest) or as events. A name without an ending is a step between them, whose output
 * nobody needs. `options` are those of a preview, and `file` is the organization file.
 */
export const scenarios = [
  { name: "created.digest", program: organization() },
  { name: "create", command: up, program: organization() },
  { name: "unchanged.digest", program: organization() },
  { name: "edited.digest", program: edited },
  { name: "renamed-entries.digest", program: renamedEntries },
  { name: "refused.digest", program: organization({ recordings: "days: 90" }), fails: true },
  { name: "due.digest", program: organization(), env: { TEST_CLOCK: "2026-11-21T09:00:00Z" } },
  { name: "renamed.digest", program: renamed },
  { name: "made-anew.digest", options: ["--replace", "**"], program: organization() },
  { name: "swapped.digest", program: swapped },
  { name: "another-name", command: setName("acme"), program: "" },
  { name: "organization-renamed.digest", program: organization(), fails: true },
  { name: "the-first-name", command: setName("example"), program: "" },
  { name: "policies-refused.events", options: ["--policy-pack", policyPack], program: organization(), fails: true },
  { name: "taint", command: ["state", "taint", recordings, "--yes"], program: organization() },
  { name: "tainted.digest", program: organization({ recordings: "days: 90" }) },
  { name: "untaint", command: ["state", "untaint", recordings, "--yes"], program: organization() },
  { name: "unknown.digest", program: unknown },
  { name: "hidden.digest", program: hidden },
  { name: "destroyed.digest", command: ["destroy", "--preview-only", "--json"], program: organization() },
  { name: "lose-answers", command: up, program: edited, faults: lostAnswers, fails: true },
  { name: "uncertain.digest", program: edited },
  { name: "update", command: up, program: edited },
  { name: "another-organization.digest", program: europe },
  { name: "add-organization", command: up, program: europe },
  {
    name: "provider-renamed.digest",
    program: europe
      .replace('new Provider("eu"', 'new Provider("europe"')
      .replace(/new WebhookSecret\("eu-billing".*/, ""),
    env: { VOICEPLANE_TOKEN_EUROPE: "vp_dev_full" },
  },
  { name: "moved.digest", program: europe, env: elsewhere },
  { name: "broken-file.digest", program: fileProgram, file: brokenFile, fails: true },
  {
    name: "no-settings.digest",
    program: organization(),
    env: { VOICEPLANE_BASE_URL: "", VOICEPLANE_TOKEN: "" },
    fails: true,
  },
  { name: "thrown.digest", program: thrower("Error"), fails: true },
  { name: "run-error.digest", program: thrower("pulumi.RunError"), fails: true },
  { name: "others-refused.digest", program: othersRefused, fails: true },
  { name: "destroy", command: ["destroy", ...up.slice(1)], program: prelude },
  { name: "merged", command: up, program: fileProgram, file: merged },
  { name: "pull-request.digest", program: fileProgram, file: proposed },
];
