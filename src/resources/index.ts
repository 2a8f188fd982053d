/** The table of resources. docs/contributing/architecture.md says what else a new resource needs. */
import { typeTokens } from "../values/engine.js";
import type { ResourceDefinition } from "./definition.js";
import { networkPolicy } from "./network-policy/index.js";
import { retentionPolicy } from "./retention-policy/index.js";
import { trunkOutboundAuth } from "./trunk-outbound-auth/index.js";
import { webhookSecret } from "./webhook-secret/index.js";

export type { ResourceDefinition } from "./definition.js";

/** The definitions, by the user's name of the resource type. The names are frozen. */
export const resources = {
  RetentionPolicy: retentionPolicy,
  NetworkPolicy: networkPolicy,
  TrunkOutboundAuth: trunkOutboundAuth,
  WebhookSecret: webhookSecret,
} satisfies Record<string, ResourceDefinition>;

export type ResourceType = keyof typeof resources;

/** The resource type of an engine's type token, dynamic or native; undefined for other packages' types. */
export function resourceTypeOf(token: string): ResourceType | undefined {
  const types = Object.keys(resources) as ResourceType[];
  return types.find((type) => token === typeTokens.dynamic(type) || token === typeTokens.native(type));
}
