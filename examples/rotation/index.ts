import { WebhookSecret } from "pulumi-voiceplane";

// Rotated when the quarter changes here, and for no other reason.
const crm = new WebhookSecret("crm", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  triggers: { quarter: "2026-Q4" },
});

// Rotated by the first update that comes 90 days or more after the last rotation; previews show the date as rotateOn.
const billing = new WebhookSecret("billing", {
  webhookId: "c0000000-0000-4000-8000-000000000002",
  rotateAfter: "90d",
});

/** Give a receiver both: it accepts either while the new one spreads. */
export const crmSecrets = { current: crm.secret, previous: crm.previousSecret };
export const billingRotation = { at: billing.rotatedAt, count: billing.rotationCount };
