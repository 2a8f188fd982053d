/** How the entries of an organization become the arguments of their resources. Programs load this: it needs no validation library. */
import type { ResourceType } from "../resources/index.js";

export interface Section {
  readonly type: ResourceType;
  /** The resource's names of what entries call otherwise. */
  readonly names: Readonly<Record<string, string>>;
  /** The argument that an entry's key is. */
  readonly key?: string;
}

export const sections = {
  retention: { type: "RetentionPolicy", names: { days: "retentionDays" }, key: "resource" },
  networkPolicies: { type: "NetworkPolicy", names: { id: "networkPolicyId" } },
  trunks: { type: "TrunkOutboundAuth", names: { id: "trunkId", outboundAuth: "cleared" } },
  webhooks: { type: "WebhookSecret", names: { id: "webhookId" } },
} as const satisfies Record<string, Section>;

/** `cleared` of a trunk, by the entry's `outboundAuth`. */
export const isCleared = { cleared: true, tracked: false } as const;

/** `onDelete` of a policy, by the entry's, which may have `days`. */
export function withRetentionDays(onDelete: unknown): unknown {
  if (typeof onDelete !== "object" || onDelete === null || !("days" in onDelete)) return onDelete;
  const { days, ...rest } = onDelete;
  return { ...rest, retentionDays: days };
}
