/**
 * The control plane's interface, version 1.0.0: five operations, their bodies and limits, and the success envelope.
 * What the interface leaves open stays open here: `data` is unknown, an error body has no schema.
 */
import { z } from "zod";

export const retentionResources = ["recordings", "conversations", "audit_events"] as const;
export type RetentionResource = (typeof retentionResources)[number];

/** Bounds of `retention_days`, inclusive. */
export const retentionDaysLimits = { min: 1, max: 3650 } as const;

export const retentionPolicyBody = z.object({
  retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
  enabled: z.boolean(),
});
export type RetentionPolicyBody = z.infer<typeof retentionPolicyBody>;

export const networkPolicyBody = z.object({
  name: z.string().optional(),
  source_cidr: z.string().optional(),
});
export type NetworkPolicyBody = z.infer<typeof networkPolicyBody>;

/** A 2xx answer is a success unless it says otherwise; `data` may be any JSON value, or missing. */
export const successEnvelope = z.looseObject({ success: z.literal(true), data: z.unknown() });

export type Method = "GET" | "PUT" | "PATCH" | "POST" | "DELETE";

interface Operation {
  readonly method: Method;
  /** The path as the interface writes it, with parameters in braces. */
  readonly path: string;
  /** What a token needs, in the interface's own words; a hint for errors and the embedded server's rule. */
  readonly access: string;
}

export const operations = {
  putRetentionPolicy: {
    method: "PUT",
    path: "/v1/retention-policies/{resource}",
    access: "organization retention permissions and the retention-policies entitlement",
  },
  patchNetworkPolicy: {
    method: "PATCH",
    path: "/v1/network-policies/{network_policy_id}",
    access: "organization networking permissions and the private-networking entitlement",
  },
  clearTrunkOutboundAuth: {
    method: "DELETE",
    path: "/v1/trunks/{trunk_id}/outbound-auth",
    access: "the scope trunks:write",
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/v1/webhooks/{webhook_id}/rotate-secret",
    access: "the scope webhooks:write",
  },
  listWebhooks: {
    method: "GET",
    path: "/v1/webhooks/",
    access: "the scope webhooks:read",
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
