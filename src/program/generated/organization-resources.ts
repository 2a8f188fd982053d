// Written from src/resources by `npm run schema`: change it there.
import type { Output } from "@pulumi/pulumi/output";
import { ComponentResource } from "@pulumi/pulumi/resource";
import { RetentionPolicy } from "./retention-policy.js";
import { NetworkPolicy } from "./network-policy.js";
import { TrunkOutboundAuth } from "./trunk-outbound-auth.js";
import { WebhookSecret } from "./webhook-secret.js";
import type { RetentionResource } from "./types.js";

export const classes = { RetentionPolicy, NetworkPolicy, TrunkOutboundAuth, WebhookSecret };

/** What an Organization declares, by the sections of its arguments. */
export abstract class OrganizationResources extends ComponentResource {
  /** The retention policies, by key. */
  declare readonly retention: Partial<Record<RetentionResource, RetentionPolicy>>;
  /** The network policies, by key. */
  declare readonly networkPolicies: Record<string, NetworkPolicy>;
  /** The trunks, by key. */
  declare readonly trunks: Record<string, TrunkOutboundAuth>;
  /** The webhooks, by key. */
  declare readonly webhooks: Record<string, WebhookSecret>;
  /** The signing secret of each webhook, by key. Secret. */
  declare readonly webhookSecrets: Output<Record<string, string | undefined>>;
  /** The previous secret of each webhook, by key, if there was one. Secret. */
  declare readonly previousWebhookSecrets: Output<Record<string, string | undefined>>;
}
