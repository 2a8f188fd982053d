// Written from src/resources by `npm run schema`: change it there.
export { RetentionPolicy, type RetentionPolicyArgs } from "./retention-policy.js";
export { NetworkPolicy, type NetworkPolicyArgs } from "./network-policy.js";
export { TrunkOutboundAuth, type TrunkOutboundAuthArgs } from "./trunk-outbound-auth.js";
export { WebhookSecret, type WebhookSecretArgs } from "./webhook-secret.js";
export * from "./enums.js";
export type {
  OrganizationArgs,
  OrganizationNetworkPolicy,
  OrganizationRetention,
  OrganizationRetentionSetting,
  OrganizationTrunk,
  OrganizationWebhook,
} from "./organization-args.js";
export type { NetworkPolicyFields, RetentionSetting, RotationState, ShorteningStep, Triggers } from "./types.js";
