/** The kinds of objects of the double. A new one is a file and a line here. */
import { networkPolicies } from "./network-policies.js";
import { retentionPolicies } from "./retention-policies.js";
import { trunks } from "./trunks.js";
import { webhooks } from "./webhooks.js";

export const kinds = { retentionPolicies, networkPolicies, trunks, webhooks };

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];

export type { NetworkPolicyRecord } from "./network-policies.js";
export type { RetentionPolicyRecord } from "./retention-policies.js";
export type { TrunkRecord } from "./trunks.js";
export type { WebhookRecord } from "./webhooks.js";
