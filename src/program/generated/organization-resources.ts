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
interface Members {
  /** The retention policies, by key. */
  readonly retention: Partial<Record<RetentionResource, RetentionPolicy>>;
  /** The network policies, by key. */
  readonly networkPolicies: Record<string, NetworkPolicy>;
  /** The trunks, by key. */
  readonly trunks: Record<string, TrunkOutboundAuth>;
  /** The webhooks, by key. */
  readonly webhooks: Record<string, WebhookSecret>;
  /** The signing secret of each webhook, by key. Secret. */
  readonly webhookSecrets: Output<Record<string, string | undefined>>;
  /** The previous secret of each webhook, by key, if there was one. Secret. */
  readonly previousWebhookSecrets: Output<Record<string, string | undefined>>;
  /** The `requestId` of each webhook, by key. `status` and `preview` compare it with the webhook's own: an update that stops writes no outputs. */
  readonly webhookRequestIds: Output<Record<string, string | undefined>>;
}

/**
 * The SDK's class, with the type of these members. A class between it and Organization would be a frame of the call stack, and the SDK would take
 * that for the user's line.
 */
export const OrganizationResources = ComponentResource as unknown as new (
  ...args: ConstructorParameters<typeof ComponentResource>
) => ComponentResource & Members;
