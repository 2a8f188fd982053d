import { isIP } from "node:net";
import { z } from "zod";
import { canonicalCidr } from "../cidr.js";
import { retentionResources } from "../contract.js";
import type { Clock } from "./clock.js";
import type { Organization } from "./records.js";
import type { Store } from "./store.js";
import { retentionPolicyBody, canonicalId } from "./wire.js";

/** Its id. */
const id = z.string().min(1).transform(canonicalId);
/** When it was made, ISO 8601 in UTC. Default: now, by the control plane's clock. */
const created_at = z.iso.datetime().optional();
const requestsAMinute = z.strictObject({
  /** GETs a minute. */
  reads: z.int().min(0),
  /** All other requests a minute. */
  writes: z.int().min(0),
});

export const seedSchema = z.strictObject({
  /** Settings to change; what is left out stays as it is. */
  organization: z
    .strictObject({
      /** A UUID. */
      id: z.uuid(),
      /** The address that callers on loopback count as; null: network policies are not enforced. */
      callerAddress: z
        .string()
        .refine((text) => isIP(text) !== 0, "not an IP address")
        .nullable(),
      /** What the organization has paid for. */
      entitlements: z
        .strictObject({
          /** Whether retention policies may be set. */
          retentionPolicies: z.boolean(),
          /** Whether network policies may be changed. */
          privateNetworking: z.boolean(),
        })
        .partial(),
      /** What its plan says of retention. */
      retentionPlan: z
        .strictObject({
          /** Days above which a PUT answers 402; null: no limit. */
          maxDays: z.int().min(1).nullable(),
          /** Whether the plan can be looked up; a PUT answers 503 where not. */
          available: z.boolean(),
        })
        .partial(),
      /** null turns rate limits off. */
      rateLimits: z
        .strictObject({
          /** For each token. */
          credential: requestsAMinute,
          /** For all tokens together. */
          organization: requestsAMinute,
        })
        .nullable(),
    })
    .partial()
    .optional(),
  /** Retention policies to set. Default: none. */
  retentionPolicies: z
    .array(
      z.strictObject({
        /** The kind of data. */
        resource: z.enum(retentionResources),
        ...retentionPolicyBody.shape,
        created_at,
      }),
    )
    .default([]),
  /** Network policies to add or to replace; `action` is `"allow"` and `status` `"active"` unless given. Default: none. */
  networkPolicies: z
    .array(
      z.strictObject({
        id,
        /** What people call it. */
        name: z.string(),
        /** The range in CIDR notation. */
        source_cidr: z.string().refine((text) => canonicalCidr(text) !== undefined, "not a CIDR range"),
        /** Whether the range may call, or may not. Default: `"allow"`. */
        action: z.enum(["allow", "deny"]).default("allow"),
        /** Whether it counts. Default: `"active"`. */
        status: z.enum(["active", "disabled"]).default("active"),
        created_at,
      }),
    )
    .default([]),
  /** Trunks to add or to replace; `outbound_auth` is `"set"` unless given. Default: none. */
  trunks: z
    .array(
      z.strictObject({
        id,
        /** What people call it. */
        name: z.string(),
        /** Whether it has credentials for outbound calls. Default: `"set"`. */
        outbound_auth: z.enum(["set", "cleared"]).default("set"),
        created_at,
      }),
    )
    .default([]),
  /** Webhooks to add or to replace; enabled and without events unless given. Default: none. */
  webhooks: z
    .array(
      z.strictObject({
        id,
        /** Where events would be sent. */
        url: z.url(),
        /** Whether it is in use. Default: true. */
        enabled: z.boolean().default(true),
        /** The kinds of events. Default: none. */
        subscribed_events: z.array(z.string()).default([]),
        created_at,
      }),
    )
    .default([]),
  /** Ids of objects to take away, after all else. Default: none. */
  remove: z.array(id).default([]),
});
export type Seed = z.output<typeof seedSchema>;
/**
 * Objects and settings to start from, or to change by hand. Objects replace those of the same id; settings that are left
 * out stay as they are; `remove` takes objects away by id (a retention policy's id is its resource).
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

/** What a new control plane holds. Examples name these ids: they never change. */
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

/** Call inside a transaction. */
export function seedDefaults(store: Store, clock: Clock): void {
  applySeed(store, clock, seedSchema.parse(defaultSeed));
}

/** Whether {@link seedDefaults} has ever run: an organization that was emptied on purpose stays empty. */
export function isSeeded(store: Store): boolean {
  return store.setting("organization") !== undefined;
}

/** Call inside a transaction. */
export function applySeed(store: Store, clock: Clock, seed: Seed): void {
  const organization = merged(organizationOf(store), seed.organization);
  store.setSetting("organization", organization);
  const now = clock.timestamp();
  /** What every record has. */
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
  for (const gone of seed.remove) store.remove(gone);
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
