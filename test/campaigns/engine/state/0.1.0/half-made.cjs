/** Lost answers to updates and creates, and answers in which no secret was found. */
const pulumi = require("@pulumi/pulumi");
const { NetworkPolicy, RetentionPolicy, TrunkOutboundAuth, WebhookSecret } = require("pulumi-voiceplane");

const first = process.env.STEP === "first";

new RetentionPolicy("retention-update", {
  resource: "recordings",
  onCreate: "overwrite",
  retentionDays: first ? 365 : 730,
});
new NetworkPolicy("network-update", {
  networkPolicyId: "a0000000-0000-4000-8000-000000000001",
  onCreate: "overwrite",
  name: first ? "HQ" : "Head office",
});
new TrunkOutboundAuth("trunk-update", {
  trunkId: "b0000000-0000-4000-8000-000000000001",
  cleared: true,
  triggers: { round: first ? 1 : 2 },
});
const update = new WebhookSecret("webhook-update", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "rotate",
  triggers: { round: first ? 1 : 2 },
});
const unread = new WebhookSecret("webhook-unread", {
  webhookId: "c0000000-0000-4000-8000-000000000004",
  onCreate: "rotate",
  secretPath: process.env.STEP === "changed" ? "signing_secret" : "not.there",
});

exports.update = update.secret;
exports.updateBefore = update.previousSecret;
exports.unread = unread.secret;
exports.unreadData = unread.data;

if (!first) {
  new RetentionPolicy("retention-create", {
    resource: "conversations",
    onCreate: "overwrite",
    retentionDays: 30,
    onDelete: "disable",
  });
  new NetworkPolicy("network-create", {
    networkPolicyId: "a0000000-0000-4000-8000-000000000002",
    onCreate: "overwrite",
    sourceCidr: "198.51.100.0/24",
  });
  new TrunkOutboundAuth("trunk-create", { trunkId: "b0000000-0000-4000-8000-000000000002", cleared: true });
  const create = new WebhookSecret("webhook-create", {
    webhookId: "c0000000-0000-4000-8000-000000000002",
    onCreate: "rotate",
    initialSecret: pulumi.secret("an-initial-secret"),
  });
  exports.create = create.secret;
  exports.createBefore = create.previousSecret;
}
