/**
 * The API for Pulumi programs in TypeScript or JavaScript: four resources of a voice agent platform's organization, and
 * what belongs to them.
 *
 * Arguments may be outputs of other resources (`Input`). A wrong one is refused at preview, before anything is sent: the
 * error has its name and what would be right. Each resource lists its requests and errors. After a lost answer the next
 * update sends again.
 *
 * @module pulumi-voiceplane
 */
import "../provider/supported-node.js";
export { listWebhooks } from "./list-webhooks.js";
export * from "./generated/enums.js";
export { NetworkPolicy, type NetworkPolicyArgs } from "./generated/network-policy.js";
export { Organization } from "./organization.js";
export type {
  OrganizationArgs,
  OrganizationNetworkPolicy,
  OrganizationRetention,
  OrganizationRetentionSetting,
  OrganizationTrunk,
  OrganizationWebhook,
} from "./generated/organization-args.js";
export { Provider, type ProviderArgs } from "./provider.js";
export { RetentionPolicy, type RetentionPolicyArgs } from "./generated/retention-policy.js";
export { TrunkOutboundAuth, type TrunkOutboundAuthArgs } from "./generated/trunk-outbound-auth.js";
export type {
  NetworkPolicyFields,
  RetentionSetting,
  RotationState,
  ShorteningStep,
  Triggers,
} from "./generated/types.js";
export { WebhookSecret, type WebhookSecretArgs } from "./generated/webhook-secret.js";
export type { Webhook } from "../resources/webhook-secret/list.js";
