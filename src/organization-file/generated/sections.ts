// Written from src/resources by `npm run schema`: change it there.
export const sections = {
  retention: {
    type: "RetentionPolicy",
    names: { days: "retentionDays", "onDelete.days": "onDelete.retentionDays" },
    key: "resource",
    inherits: ["overwrite", "adopt"],
  },
  networkPolicies: { type: "NetworkPolicy", names: { id: "networkPolicyId" }, inherits: ["overwrite", "adopt"] },
  trunks: {
    type: "TrunkOutboundAuth",
    names: { id: "trunkId", outboundAuth: "cleared" },
    values: { outboundAuth: { cleared: true, tracked: false } },
    inherits: ["overwrite", "adopt"],
  },
  webhooks: {
    type: "WebhookSecret",
    names: { id: "webhookId" },
    inherits: ["adopt"],
    secretNames: ["initialSecret"],
    outputs: { webhookSecrets: "secret", previousWebhookSecrets: "previousSecret" },
  },
} as const;

export type SectionName = keyof typeof sections;
