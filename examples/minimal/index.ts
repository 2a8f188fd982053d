import { NetworkPolicy, RetentionPolicy, TrunkOutboundAuth, WebhookSecret } from "pulumi-voiceplane";

new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });

new NetworkPolicy("office", {
  networkPolicyId: "a0000000-0000-4000-8000-000000000001",
  onCreate: "overwrite",
  name: "Office",
  sourceCidr: "203.0.113.0/24",
  // The address of your pipeline. A range without it is refused, because it would lock the pipeline out.
  mustInclude: ["203.0.113.7"],
});

// `up` clears the trunk's outbound credentials, and nothing can restore them. `cleared: false` sends nothing.
new TrunkOutboundAuth("carrier-a", { trunkId: "b0000000-0000-4000-8000-000000000001", cleared: true });

// `up` rotates the secret. `onCreate: "adopt"` keeps the one in use.
const crm = new WebhookSecret("crm", { webhookId: "c0000000-0000-4000-8000-000000000001", onCreate: "rotate" });

/** `pulumi stack output crmSecret --show-secrets` prints it. */
export const crmSecret = crm.secret;
