import { core, Provider } from "@pulumi/kubernetes";
import { WebhookSecret } from "pulumi-voiceplane";
import { secretsOf } from "./secrets.ts";

const crm = new WebhookSecret("crm", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "rotate",
  rotateAfter: "90d",
});

// Otherwise a Secret with a fixed name is deleted and created again for each change, and is missing for a moment.
const cluster = new Provider("cluster", { enableSecretMutable: true });

new core.v1.Secret(
  "crm-webhook",
  {
    metadata: { name: "crm-webhook", namespace: "receivers" },
    stringData: secretsOf(crm),
  },
  { provider: cluster },
);
