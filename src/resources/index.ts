/** The table of resources. docs/contributing/architecture.md says what else a new resource needs. */
import { typeTokens } from "../values/engine.js";
import type * as z from "zod";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { networkPolicy, networkPolicyArgs, networkPolicyOutputs } from "./network-policy/lifecycle.js";
import { retentionPolicy, retentionPolicyArgs, retentionPolicyOutputs } from "./retention-policy/lifecycle.js";
import { withRules } from "../lifecycle/rules.js";
import { trunkOutboundAuth, trunkOutboundAuthArgs, trunkOutboundAuthOutputs } from "./trunk-outbound-auth/lifecycle.js";
import { webhookSecretArgs, webhookSecretOutputs } from "./webhook-secret/arguments.js";
import { webhookSecret } from "./webhook-secret/lifecycle.js";

export interface ResourceEntry<Path extends string = string, Args extends z.ZodObject = z.ZodObject> {
  /** The path under `pulumi-voiceplane/dynamic/`, and the page under docs/reference. Frozen: it is in the state. */
  readonly path: Path;
  /** The user's arguments. */
  readonly args: Args;
  /** What programs read of the resource. The state may have more. */
  readonly outputs: z.ZodObject;
  readonly lifecycle: Lifecycle;
}

/** By the user's name of the type. Frozen. */
export const resources = {
  RetentionPolicy: entry({
    path: "retention-policy",
    args: retentionPolicyArgs,
    outputs: retentionPolicyOutputs,
    lifecycle: retentionPolicy,
  }),
  NetworkPolicy: entry({
    path: "network-policy",
    args: networkPolicyArgs,
    outputs: networkPolicyOutputs,
    lifecycle: networkPolicy,
  }),
  TrunkOutboundAuth: entry({
    path: "trunk-outbound-auth",
    args: trunkOutboundAuthArgs,
    outputs: trunkOutboundAuthOutputs,
    lifecycle: trunkOutboundAuth,
  }),
  WebhookSecret: entry({
    path: "webhook-secret",
    args: webhookSecretArgs,
    outputs: webhookSecretOutputs,
    lifecycle: webhookSecret,
  }),
} satisfies Record<string, ResourceEntry>;

export type ResourceType = keyof typeof resources;

function entry<const Path extends string, Args extends z.ZodObject>(
  definition: ResourceEntry<Path, Args>,
): ResourceEntry<Path, Args> {
  return { ...definition, lifecycle: withRules(definition.lifecycle) };
}

/** The resource type of an engine's type token, dynamic or native; undefined for other packages' types. */
export function resourceTypeOf(token: string): ResourceType | undefined {
  const types = Object.keys(resources) as ResourceType[];
  return types.find((type) => token === typeTokens.dynamic(type) || token === typeTokens.native(type));
}
