import { WebhookSecret } from "pulumi-voiceplane";

// Rotates only when the quarter changes here.
const crm = new WebhookSecret("crm", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "rotate",
  triggers: { quarter: "2026-Q4" },
});

// Rotates in the first update that is 90 days or more after the last rotation. Previews show the date as rotateOn.
const billing = new WebhookSecret("billing", {
  webhookId: "c0000000-0000-4000-8000-000000000002",
  onCreate: "rotate",
  rotateAfter: "90d",
});

/** What receiver.ts needs: both secrets, so that it accepts either while the new one is rolled out. */
export const crmSecrets = { secret: crm.secret, previousSecret: crm.previousSecret };
export const billingRotation = { at: billing.rotatedAt, count: billing.rotationCount };
