/** A server that answers only with a status: rotated secrets that it never returned. */
const { RetentionPolicy, WebhookSecret } = require("pulumi-voiceplane");

const unread = new WebhookSecret("webhook-unread", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "rotate",
  triggers: { round: process.env.STEP === "changed" ? 2 : 1 },
});
new RetentionPolicy("retention", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });

exports.unread = unread.secret;
