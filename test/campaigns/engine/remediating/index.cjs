const { PolicyPack } = require("@pulumi/policy");

new PolicyPack("remediating", {
  policies: [
    {
      name: "fewer-days",
      description: "Nothing is kept for longer than 30 days.",
      enforcementLevel: "remediate",
      remediateResource: ({ type, props }) =>
        type.endsWith(":RetentionPolicy") ? { ...props, retentionDays: 30 } : undefined,
    },
    {
      name: "younger-secrets",
      description: "No secret is older than 30 days.",
      enforcementLevel: "remediate",
      remediateResource: ({ type, props }) =>
        type.endsWith(":WebhookSecret") ? { ...props, rotateAfter: "30d" } : undefined,
    },
  ],
});
