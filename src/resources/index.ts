/** The table of resources. A new resource is a file beside this one, a line here, and a class. */
import type { z } from "zod";
import type { Lifecycle } from "./lifecycle.js";
import { networkPolicy, networkPolicyArgs } from "./network-policy.js";
import { retentionPolicy, retentionPolicyArgs } from "./retention-policy.js";
import { withOrganizationRules } from "./rules.js";
import { trunkOutboundAuth, trunkOutboundAuthArgs } from "./trunk-outbound-auth.js";
import { webhookSecret, webhookSecretArgs } from "./webhook-secret.js";

export interface ResourceEntry {
  /** The path under `pulumi-voiceplane/dynamic/`, and the page under docs/resources. Frozen: it is in the state. */
  readonly kind: string;
  /** The user's arguments. */
  readonly args: z.ZodObject;
  readonly lifecycle: Lifecycle;
}

/** By the user's name of the type. Frozen. */
export const resources = {
  RetentionPolicy: entry("retention-policy", retentionPolicyArgs, withOrganizationRules(retentionPolicy)),
  NetworkPolicy: entry("network-policy", networkPolicyArgs, withOrganizationRules(networkPolicy)),
  TrunkOutboundAuth: entry("trunk-outbound-auth", trunkOutboundAuthArgs, withOrganizationRules(trunkOutboundAuth)),
  WebhookSecret: entry("webhook-secret", webhookSecretArgs, withOrganizationRules(webhookSecret)),
} satisfies Record<string, ResourceEntry>;

export type ResourceType = keyof typeof resources;

function entry<const Kind extends string, Args extends z.ZodObject>(kind: Kind, args: Args, lifecycle: Lifecycle) {
  return { kind, args, lifecycle };
}

/** The resource type of an engine's type token, dynamic or native; undefined for other packages' types. */
export function resourceTypeOf(token: string): ResourceType | undefined {
  const type = /^(?:pulumi-nodejs:dynamic\/voiceplane|voiceplane:index):(\w+)$/.exec(token)?.[1] ?? "";
  return Object.hasOwn(resources, type) ? (type as ResourceType) : undefined;
}
