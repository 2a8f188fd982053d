import { secretsmanager } from "@pulumi/aws";
import { jsonStringify } from "@pulumi/pulumi";
import { WebhookSecret } from "pulumi-voiceplane";
import { secretsOf } from "./secrets.ts";

const crm = new WebhookSecret("crm", {
  webhookId: "c0000000-0000-4000-8000-000000000001",
  onCreate: "rotate",
  rotateAfter: "90d",
});

const store = new secretsmanager.Secret("crm-webhook", { name: "receivers/crm-webhook" });

// A rotation creates a new version, and AWSCURRENT moves to it. Without deleteBeforeReplace, one version always exists.
new secretsmanager.SecretVersion("crm-webhook", {
  secretId: store.id,
  secretString: jsonStringify(secretsOf(crm)),
});
