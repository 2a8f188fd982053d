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
export { listWebhooks } from "./pulumi/classes/list-webhooks.js";
export { NetworkPolicy, type NetworkPolicyArgs, type NetworkPolicyFields } from "./pulumi/classes/network-policy.js";
export {
  Organization,
  type OrganizationArgs,
  type OrganizationNetworkPolicy,
  type OrganizationRetention,
  type OrganizationRetentionSetting,
  type OrganizationTrunk,
  type OrganizationWebhook,
} from "./pulumi/classes/organization.js";
export { Provider, type ProviderArgs } from "./pulumi/classes/provider.js";
export {
  RetentionPolicy,
  type RetentionPolicyArgs,
  type RetentionSetting,
  type ShorteningStep,
} from "./pulumi/classes/retention-policy.js";
export { TrunkOutboundAuth, type Triggers, type TrunkOutboundAuthArgs } from "./pulumi/classes/trunk-outbound-auth.js";
export { WebhookSecret, type WebhookSecretArgs } from "./pulumi/classes/webhook-secret.js";
export type { RetentionResource } from "./contract.js";
export type { Webhook } from "./resources/webhook-list.js";
export type { RotationState } from "./resources/webhook-secret.js";
