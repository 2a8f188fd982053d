import { isIP } from "node:net";
import { z } from "zod";
import { retentionPolicyBody, retentionResources } from "../contract.js";
import { canonicalCidr } from "../cidr.js";
import type { Clock } from "./clock.js";
import { canonicalId } from "./ids.js";
import type { Organization } from "./records.js";
import type { Store } from "./store.js";

const id = z.string().min(1).transform(canonicalId);
const created_at = z.iso.datetime().optional();
const requestsAMinute = z.strictObject({ reads: z.int().min(0), writes: z.int().min(0) });

/**
 * Objects and settings to start from, or to change by hand. Objects replace those of the same id; settings that are left
 * out stay as they are; `remove` takes objects away by id (a retention policy's id is its resource).
 */
export const seedSchema = z.strictObject({
  organization: z
    .strictObject({
      id: z.uuid(),
      callerAddress: z
        .string()
        .refine((text) => isIP(text) !== 0, "not an IP address")
        .nullable(),
      entitlements: z.strictObject({ retentionPolicies: z.boolean(), privateNetworking: z.boolean() }).partial(),
      retentionPlan: z.strictObject({ maxDays: z.int().min(1).nullable(), available: z.boolean() }).partial(),
      rateLimits: z.strictObject({ credential: requestsAMinute, organization: requestsAMinute }).nullable(),
    })
    .partial()
    .optional(),
  retentionPolicies: z
    .array(z.strictObject({ resource: z.enum(retentionResources), ...retentionPolicyBody.shape, created_at }))
    .default([]),
  networkPolicies: z
    .array(
      z.strictObject({
        id,
        name: z.string(),
        source_cidr: z.string().refine((text) => canonicalCidr(text) !== undefined, "not a CIDR range"),
        action: z.enum(["allow", "deny"]).default("allow"),
        status: z.enum(["active", "disabled"]).default("active"),
        created_at,
      }),
    )
    .default([]),
  trunks: z
    .array(
      z.strictObject({ id, name: z.string(), outbound_auth: z.enum(["set", "cleared"]).default("set"), created_at }),
    )
    .default([]),
  webhooks: z
    .array(
      z.strictObject({
        id,
        url: z.url(),
        enabled: z.boolean().default(true),
        subscribed_events: z.array(z.string()).default([]),
        created_at,
      }),
    )
    .default([]),
  remove: z.array(id).default([]),
});
export type Seed = z.output<typeof seedSchema>;
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
export function plantDefaults(store: Store, clock: Clock): void {
  plant(store, clock, seedSchema.parse(defaultSeed));
}

/** Whether {@link plantDefaults} has ever run: an organization that was emptied on purpose stays empty. */
export function isPlanted(store: Store): boolean {
  return store.setting("organization") !== undefined;
}

/** Call inside a transaction. */
export function plant(store: Store, clock: Clock, seed: Seed): void {
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
