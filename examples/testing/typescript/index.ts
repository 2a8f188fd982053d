import { RetentionPolicy, WebhookSecret } from "pulumi-voiceplane";

new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });

const crm = new WebhookSecret("crm", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "adopt",
  rotateAfter: "90d",
});

export const crmSecret = crm.secret;
