/** The table of resources, for tests that run over all of them. What is written by hand is a `Record` of these types: the compiler names a missing one. */
import { networkPolicyLifecycle } from "../../../src/resources/network-policy/lifecycle.js";
import { resources, type ResourceType } from "../../../src/resources/index.js";
import { retentionPolicyLifecycle } from "../../../src/resources/retention-policy/lifecycle.js";
import { trunkOutboundAuthLifecycle } from "../../../src/resources/trunk-outbound-auth/lifecycle.js";
import { webhookSecretLifecycle } from "../../../src/resources/webhook-secret/lifecycle.js";

export const types = Object.keys(resources) as ResourceType[];

/** The resources that are made by `setting()`. */
export type SettingType = Exclude<ResourceType, "WebhookSecret">;

/** Without the rules of all resources, which {@link ../played-engine.Engine} adds. */
export const lifecycles = {
  RetentionPolicy: retentionPolicyLifecycle,
  NetworkPolicy: networkPolicyLifecycle,
  TrunkOutboundAuth: trunkOutboundAuthLifecycle,
  WebhookSecret: webhookSecretLifecycle,
} satisfies Record<ResourceType, { type: string }>;
