import { ActionsSecret } from "@pulumi/github";
import { WebhookSecret } from "pulumi-voiceplane";
import { secretsOf } from "./secrets.ts";

const crm = new WebhookSecret("crm", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "rotate",
  rotateAfter: "90d",
});
const secrets = secretsOf(crm);
const repository = "receivers";

// Two secrets, because GitHub masks in logs only the whole value of a secret.
const previous = new ActionsSecret("crm-webhook-previous", {
  repository,
  secretName: "CRM_WEBHOOK_PREVIOUS_SECRET",
  value: secrets.apply(({ secret, previousSecret }) => previousSecret ?? secret),
});

// After the previous secret, so that a deployment between the two writes, or after a failure, still has the old secret.
new ActionsSecret(
  "crm-webhook",
  {
    repository,
    secretName: "CRM_WEBHOOK_SECRET",
    value: secrets.apply(({ secret }) => secret),
  },
  { dependsOn: previous },
);
