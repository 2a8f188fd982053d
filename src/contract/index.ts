/**
 * The control plane's contract: its operations, their bodies and limits. What the contract does not define, such as
 * `data`, has no type here. Only constants and types, so that sending a request does not load a validation library.
 */

export const retentionResources = ["recordings", "conversations", "audit_events"] as const;
/** A kind of data that is kept for a time. @category Retention @useDeclaredType */
export type RetentionResource = (typeof retentionResources)[number];

/** Bounds of `retention_days`, inclusive. */
export const retentionDaysLimits = { min: 1, max: 3650 } as const;

export type Method = "GET" | "PUT" | "PATCH" | "POST" | "DELETE";

interface Operation {
  readonly method: Method;
  /** The path, with its parameter in braces. */
  readonly path: string;
  /** Whether sending it again does no harm. If it does harm, a lost answer cannot be asked for again either. */
  readonly idempotent: boolean;
  /** The right that a token needs: a scope, with a colon, where the contract names one, else a permission. */
  readonly right: string;
  /** The right in the words of the contract. */
  readonly access: string;
  /** The status of an unknown id, where the contract names one. Any operation may answer 404. */
  readonly unknownId?: number;
}

export const operations = {
  putRetentionPolicy: {
    method: "PUT",
    path: "/v1/retention-policies/{resource}",
    idempotent: true,
    right: "retention",
    access: "organization retention permissions and the retention-policies entitlement",
  },
  patchNetworkPolicy: {
    method: "PATCH",
    path: "/v1/network-policies/{network_policy_id}",
    idempotent: true,
    right: "networking",
    access: "organization networking permissions and the private-networking entitlement",
    unknownId: 500,
  },
  clearTrunkOutboundAuth: {
    method: "DELETE",
    path: "/v1/trunks/{trunk_id}/outbound-auth",
    idempotent: true,
    right: "trunks:write",
    access: "the scope trunks:write",
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/v1/webhooks/{webhook_id}/rotate-secret",
    idempotent: false,
    right: "webhooks:write",
    access: "the scope webhooks:write",
  },
  listWebhooks: {
    method: "GET",
    path: "/v1/webhooks/",
    idempotent: true,
    right: "webhooks:read",
    access: "the scope webhooks:read",
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** Whether this status may mean an unknown id where the contract's word for it is another one than 404. */
export const mayMeanUnknownId = (operation: OperationName, status: number): boolean =>
  (operations[operation] as Operation).unknownId === status;

export interface RetentionPolicyBody {
  /** A whole number of days, within {@link retentionDaysLimits}. */
  readonly retention_days: number;
  readonly enabled: boolean;
}

export interface NetworkPolicyBody {
  readonly name?: string | undefined;
  readonly source_cidr?: string | undefined;
}
