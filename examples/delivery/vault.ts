import { jsonStringify } from "@pulumi/pulumi";
import { kv } from "@pulumi/vault";
import { WebhookSecret } from "pulumi-voiceplane";
import { secretsOf } from "./secrets.ts";

const crm = new WebhookSecret("crm", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "rotate",
  rotateAfter: "90d",
});

// One write is one version: nobody reads the new secret without the previous one.
new kv.SecretV2("crm-webhook", {
  mount: "secret",
  name: "receivers/crm-webhook",
  dataJson: jsonStringify(secretsOf(crm)),
});
