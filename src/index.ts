/**
 * A Pulumi provider for voice agent control planes.
 *
 * @packageDocumentation
 */
export { listWebhooks } from "./components/list-webhooks.js";
export { NetworkPolicy, type NetworkPolicyArgs, type NetworkPolicyFields } from "./components/network-policy.js";
export {
  Organization,
  type OrganizationArgs,
  type OrganizationNetworkPolicy,
  type OrganizationRetention,
  type OrganizationTrunk,
  type OrganizationWebhook,
} from "./components/organization.js";
export { Provider, type ProviderArgs } from "./components/provider.js";
export {
  RetentionPolicy,
  type RetentionPolicyArgs,
  type RetentionSetting,
  type ShorteningStep,
} from "./components/retention-policy.js";
export { TrunkOutboundAuth, type Triggers, type TrunkOutboundAuthArgs } from "./components/trunk-outbound-auth.js";
export { WebhookSecret, type WebhookSecretArgs } from "./components/webhook-secret.js";
export type { RetentionResource } from "./interface.js";
export type { Webhook } from "./resources/webhook-list.js";
export type { RotationState } from "./resources/webhook-secret.js";
