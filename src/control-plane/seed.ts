import { isIP } from "node:net";
import { z } from "zod";
import { canonicalCidr } from "../contract/cidr.js";
import { retentionResources } from "../contract/index.js";
import type { Organization } from "./records.js";
import type { Clock, Store } from "./store.js";
import { retentionPolicyBody, canonicalId } from "./wire.js";

/** Its id. */
const id = z.string().min(1).transform(canonicalId);
/** When it was created, ISO 8601 in UTC. Default: now, by the control plane's clock. */
const created_at = z.iso.datetime().optional();
const requestsPerMinute = z.strictObject({
  /** GET requests per minute. */
  reads: z.int().min(0),
  /** All other requests per minute. */
  writes: z.int().min(0),
});

const listOf = <T extends z.ZodRawShape>(fields: T) => z.array(z.strictObject(fields)).default([]);

export const seedSchema = z.strictObject({
  /** Settings to change. Omitted settings stay unchanged. */
  organization: z
    .strictObject({
      /** A UUID. */
      id: z.uuid(),
      /** The address that network policies see for callers on loopback. null enforces no network policy. */
      callerAddress: z
        .string()
        .refine((text) => isIP(text) !== 0, "not an IP address")
        .nullable(),
      /** The capabilities of its plan. */
      entitlements: z
        .strictObject({
          /** Whether retention policies may be set. */
          retentionPolicies: z.boolean(),
          /** Whether network policies may be changed. */
          privateNetworking: z.boolean(),
        })
        .partial(),
      /** The retention limits of its plan. */
      retentionPlan: z
        .strictObject({
          /** The maximum of days. A PUT with more answers 402. null is no limit. */
          maxDays: z.int().min(1).nullable(),
          /** Whether the plan service is available. If not, a PUT answers 503. */
          available: z.boolean(),
        })
        .partial(),
      /** null turns rate limits off. */
      rateLimits: z
        .strictObject({
          /** For each token. */
          credential: requestsPerMinute,
          /** For all tokens together. */
          organization: requestsPerMinute,
        })
        .nullable(),
    })
    .partial()
    .optional(),
  /** Retention policies to set. Default: none. */
  retentionPolicies: listOf({
    /** The kind of data. */
    resource: z.enum(retentionResources),
    ...retentionPolicyBody.shape,
    created_at,
  }),
  /** Network policies to add or replace. Default: none. */
  networkPolicies: listOf({
    id,
    /** Its name. */
    name: z.string(),
    /** The range in CIDR notation. */
    source_cidr: z.string().refine((text) => canonicalCidr(text) !== undefined, "not a CIDR range"),
    /** Whether requests from the range are allowed. Default: `"allow"`. */
    action: z.enum(["allow", "deny"]).default("allow"),
    /** Whether it is enforced. Default: `"active"`. */
    status: z.enum(["active", "disabled"]).default("active"),
    created_at,
  }),
  /** Trunks to add or replace. Default: none. */
  trunks: listOf({
    id,
    /** Its name. */
    name: z.string(),
    /** Whether it has credentials for outbound calls. Default: `"set"`. */
    outbound_auth: z.enum(["set", "cleared"]).default("set"),
    created_at,
  }),
  /** Webhooks to add or replace. Default: none. */
  webhooks: listOf({
    id,
    /** The URL for events. The control plane sends none. */
    url: z.url(),
    /** Whether it is in use. Default: true. */
    enabled: z.boolean().default(true),
    /** The kinds of events. Default: none. */
    subscribed_events: z.array(z.string()).default([]),
    created_at,
  }),
  /** Ids of objects to remove, after everything else. Default: none. */
  remove: z.array(id).default([]),
});
type Seed = z.output<typeof seedSchema>;
/**
 * Objects and settings to change. Objects replace those with the same id. Omitted settings stay unchanged. `remove` deletes
 * objects by id (the id of a retention policy is its resource).
 *
 * @category Control
 * @useDeclaredType
 */
export type SeedInput = z.input<typeof seedSchema>;

const defaultOrganization: Organization = {
  id: "d0000000-0000-4000-8000-000000000001",
  callerAddress: null,
  entitlements: { retentionPolicies: true, privateNetworking: true },
  retentionPlan: { maxDays: null, available: true },
  rateLimits: { credential: { reads: 600, writes: 300 }, organization: { reads: 1200, writes: 600 } },
};

/** The data of a new control plane. The ids never change, because examples use them. */
const defaultSeed: SeedInput = {
  networkPolicies: [
    { id: "a0000000-0000-4000-8000-000000000001", name: "Office", source_cidr: "203.0.113.0/24" },
    { id: "a0000000-0000-4000-8000-000000000002", name: "Runners", source_cidr: "198.51.100.0/25" },
  ],
  trunks: [
    { id: "b0000000-0000-4000-8000-000000000001", name: "Carrier A" },
    { id: "b0000000-0000-4000-8000-000000000002", name: "Carrier B" },
    { id: "b0000000-0000-4000-8000-000000000003", name: "Carrier C", outbound_auth: "cleared" },
  ],
  webhooks: [
    {
      id: "c0000000-0000-4000-8000-000000000001",
      url: "https://crm.example.com/voice",
      subscribed_events: ["call.completed"],
      created_at: "2026-01-01T00:00:00.000Z",
    },
    {
      id: "c0000000-0000-4000-8000-000000000002",
      url: "https://billing.example.com/voice",
      subscribed_events: ["call.completed", "recording.ready"],
      created_at: "2026-02-01T00:00:00.000Z",
    },
    {
      id: "c0000000-0000-4000-8000-000000000003",
      url: "https://retired.example.com/voice",
      enabled: false,
      created_at: "2026-03-01T00:00:00.000Z",
    },
  ],
};

export function organizationOf(store: Store): Organization {
  return (store.setting("organization") as Organization | undefined) ?? defaultOrganization;
}

/** Call it inside a transaction. */
export function seedDefaults(store: Store, clock: Clock): void {
  applySeed(store, clock, seedSchema.parse(defaultSeed));
}

/** Whether {@link seedDefaults} has run. An organization that was emptied on purpose stays empty. */
export function isSeeded(store: Store): boolean {
  return store.setting("organization") !== undefined;
}

/** Call it inside a transaction. */
export function applySeed(store: Store, clock: Clock, seed: Seed): void {
  const organization = merged(organizationOf(store), seed.organization);
  store.setSetting("organization", organization);
  const now = clock.timestamp();
  const common = (given: string | undefined) => ({
    organization_id: organization.id,
    created_at: given ?? now,
    updated_at: given ?? now,
  });

  for (const { created_at, ...policy } of seed.retentionPolicies) {
    store.put("retentionPolicy", policy.resource, { ...policy, ...common(created_at) });
  }
  for (const { created_at, ...policy } of seed.networkPolicies) {
    const source_cidr = canonicalCidr(policy.source_cidr) ?? policy.source_cidr;
    store.put("networkPolicy", policy.id, { ...policy, source_cidr, ...common(created_at) });
  }
  for (const { created_at, ...trunk } of seed.trunks) {
    store.put("trunk", trunk.id, { ...trunk, ...common(created_at) });
  }
  for (const { created_at, ...webhook } of seed.webhooks) {
    const disabled = webhook.enabled ? {} : { disabled_at: created_at ?? now, disabled_reason: "deleted" };
    const fresh = { consecutive_failures: 0, signing_secret_sha256: null };
    store.put("webhook", webhook.id, { ...webhook, ...common(created_at), ...disabled, ...fresh });
  }
  for (const removed of seed.remove) store.remove(removed);
}

function merged(before: Organization, change: Seed["organization"]): Organization {
  const defined = (object: object | undefined) =>
    Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => value !== undefined));
  return {
    ...before,
    ...defined(change),
    entitlements: { ...before.entitlements, ...defined(change?.entitlements) },
    retentionPlan: { ...before.retentionPlan, ...defined(change?.retentionPlan) },
  };
}
