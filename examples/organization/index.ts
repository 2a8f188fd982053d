import { unsecret } from "@pulumi/pulumi";
import { Organization, listWebhooks } from "pulumi-voiceplane";

const organization = new Organization("acme", {
  onCreate: "overwrite",
  retention: {
    recordings: { days: 90, onDelete: "disable" },
    audit_events: { days: 2555 },
  },
  networkPolicies: {
    office: {
      id: "a0000000-0000-4000-8000-000000000001",
      name: "Office",
      sourceCidr: "203.0.113.0/24",
      mustInclude: ["203.0.113.7"],
    },
  },
  trunks: {
    // `up` clears its outbound credentials, and nothing can restore them.
    "carrier-a": { id: "b0000000-0000-4000-8000-000000000001", outboundAuth: "cleared", reassertAfter: "7d" },
    // Its credentials are set elsewhere. They are cleared when the trunk is no longer declared.
    "carrier-b": { id: "b0000000-0000-4000-8000-000000000002", outboundAuth: "tracked", onDelete: "clear" },
  },
  webhooks: {
    crm: { id: "c0000000-0000-4000-8000-000000000001", onCreate: "rotate", rotateAfter: "90d" },
  },
});

export const webhookSecrets = organization.webhookSecrets;

/** The ids of all webhooks of the organization, declared here or not. Ids are not secret. */
export const webhookIds = unsecret(listWebhooks().apply((webhooks) => webhooks.map(({ id }) => id)));
