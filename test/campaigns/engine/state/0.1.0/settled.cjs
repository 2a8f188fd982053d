/** Every option of every resource, all applied: neither this version nor a later one has anything to send. */
const pulumi = require("@pulumi/pulumi");
const voiceplane = require("pulumi-voiceplane");
const { NetworkPolicy, Organization, Provider, RetentionPolicy, TrunkOutboundAuth, WebhookSecret } = voiceplane;

const step = ["first", "recorded", "changed"].indexOf(process.env.STEP ?? "recorded");
const stepped = (...values) => values[step];
const shorter = (from, to) => ({ from, to });

new RetentionPolicy("retention-every-option", {
  resource: "recordings",
  onCreate: "overwrite",
  retentionDays: stepped(365, 90, 120),
  enabled: true,
  onDelete: { retentionDays: 30, enabled: false },
  allowShortening: [shorter(365, 90), shorter(365, 30), shorter(90, 30), shorter(120, 30)],
  reassertAfter: "7d",
});
new RetentionPolicy("retention-disabled", {
  resource: "conversations",
  onCreate: "overwrite",
  retentionDays: 30,
  enabled: stepped(true, false, true),
  onDelete: "disable",
});
new RetentionPolicy("retention-bare", {
  resource: "audit_events",
  onCreate: "overwrite",
  retentionDays: 2555,
  allowShortening: shorter(3650, 2555),
});

new NetworkPolicy("network-every-option", {
  networkPolicyId: "a0000000-0000-4000-8000-000000000001",
  onCreate: "overwrite",
  name: stepped("HQ", "HQ", "Head office"),
  sourceCidr: "203.0.113.0/24",
  mustInclude: ["203.0.113.7", "203.0.113.64/26"],
  mustExclude: ["198.51.100.1"],
  onDelete: { name: "Left", sourceCidr: "203.0.113.0/25" },
  reassertAfter: "30d",
});
new NetworkPolicy("network-bare", {
  networkPolicyId: "a0000000-0000-4000-8000-000000000002",
  onCreate: "overwrite",
  sourceCidr: "2001:db8::1/48",
});

new TrunkOutboundAuth("trunk-every-option", {
  trunkId: "b0000000-0000-4000-8000-000000000001",
  cleared: true,
  triggers: { year: stepped(2025, 2026, 2027), audited: true, by: "night shift" },
  onDelete: "clear",
  reassertAfter: "7d",
});
new TrunkOutboundAuth("trunk-tracked", { trunkId: "b0000000-0000-4000-8000-000000000002", cleared: false });

const everyOption = new WebhookSecret("webhook-every-option", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  triggers: { quarter: stepped("2026-Q2", "2026-Q3", "2026-Q4") },
  rotateAfter: "90d",
  onCreate: "rotate",
  initialSecret: pulumi.secret("an-initial-secret"),
  secretPath: "signing_secret",
});
const scheduled = new WebhookSecret("webhook-scheduled", {
  webhookId: "c0000000-0000-4000-8000-000000000004",
  onCreate: "rotate",
  rotateAfter: "30d",
});
const adopted = new WebhookSecret("webhook-adopted", {
  webhookId: "c0000000-0000-4000-8000-000000000002",
  onCreate: "adopt",
  initialSecret: pulumi.secret("an-adopted-secret"),
});
new WebhookSecret("webhook-adopted-unknown", {
  webhookId: "c0000000-0000-4000-8000-000000000003",
  onCreate: "adopt",
});

const eu = new Provider("eu", {
  baseUrl: new pulumi.Config("voiceplane").require("baseUrl"),
  token: pulumi.secret("vp_dev_second_full"),
  allowInsecureHttp: true,
});
const organization = new Organization(
  "org",
  {
    onCreate: "overwrite",
    retention: { audit_events: { days: stepped(400, 400, 500), onDelete: "disable" } },
    networkPolicies: { office: { id: "a0000000-0000-4000-8000-000000000001", name: "Office" } },
    trunks: { "carrier-b": { id: "b0000000-0000-4000-8000-000000000002", outboundAuth: "tracked" } },
    webhooks: { five: { id: "c0000000-0000-4000-8000-000000000005", onCreate: "rotate" } },
  },
  { providers: [eu] },
);

exports.everyOption = everyOption.secret;
exports.everyOptionBefore = everyOption.previousSecret;
exports.scheduled = scheduled.secret;
exports.adopted = adopted.secret;
exports.organization = organization.webhookSecrets;
