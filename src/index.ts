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
import "./supported-node.js";
export { listWebhooks } from "./pulumi/classes/list-webhooks.js";
export { NetworkPolicy, type NetworkPolicyArgs } from "./pulumi/classes/network-policy.js";
export { Organization } from "./pulumi/classes/organization.js";
export type {
  OrganizationArgs,
  OrganizationNetworkPolicy,
  OrganizationRetention,
  OrganizationRetentionSetting,
  OrganizationTrunk,
  OrganizationWebhook,
} from "./pulumi/classes/organization-args.js";
export { Provider, type ProviderArgs } from "./pulumi/classes/provider.js";
export { RetentionPolicy, type RetentionPolicyArgs } from "./pulumi/classes/retention-policy.js";
export { TrunkOutboundAuth, type TrunkOutboundAuthArgs } from "./pulumi/classes/trunk-outbound-auth.js";
export type {
  NetworkPolicyFields,
  RetentionResource,
  RetentionSetting,
  RotationState,
  ShorteningStep,
  Triggers,
} from "./pulumi/classes/types.js";
export { WebhookSecret, type WebhookSecretArgs } from "./pulumi/classes/webhook-secret.js";
export type { Webhook } from "./resources/webhook-list.js";
