import { z } from "zod";
import { canonicalCidr } from "../contract/cidr.js";
import { retentionResources } from "../contract/index.js";
import { canonicalId, organizationId, retentionPolicyBody } from "./operations.js";
import type { Store } from "./store.js";

const id = z.string().min(1).transform(canonicalId);
const created_at = z.iso.datetime().optional();
const listOf = <T extends z.ZodRawShape>(fields: T) => z.array(z.strictObject(fields)).default([]);

export const seedSchema = z.strictObject({
  retentionPolicies: listOf({ resource: z.enum(retentionResources), ...retentionPolicyBody.shape, created_at }),
  networkPolicies: listOf({
    id,
    name: z.string(),
    source_cidr: z.string().refine((text) => canonicalCidr(text) !== undefined, "not a CIDR range"),
    action: z.enum(["allow", "deny"]).default("allow"),
    status: z.enum(["active", "disabled"]).default("active"),
    created_at,
  }),
  trunks: listOf({
    id,
    name: z.string(),
    outbound_auth: z.enum(["set", "cleared"]).default("set"),
    created_at,
  }),
  webhooks: listOf({
    id,
    url: z.url(),
    enabled: z.boolean().default(true),
    /** Such as "deleted": a deleted webhook stays listed, disabled. */
    disabled_reason: z.string().optional(),
    subscribed_events: z.array(z.string()).default([]),
    created_at,
  }),
  /** Ids of objects to remove, after everything else. The id of a retention policy is its resource. */
  remove: z.array(id).default([]),
});

/** Objects to add, or to replace by their ids, and ids of objects to remove. `created_at` is now by default. */
export type SeedInput = z.input<typeof seedSchema>;

/** The objects of a new control plane. The ids never change, because examples use them. */
export const defaultSeed: SeedInput = {
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

export function applySeed(store: Store, seed: z.output<typeof seedSchema>): void {
  const { records } = store.data;
  const now = store.now().toISOString();
  const common = (at = now) => ({ organization_id: organizationId, created_at: at, updated_at: at });
  for (const { created_at: at, ...policy } of seed.retentionPolicies) {
    records.retentionPolicies[policy.resource] = { ...policy, ...common(at) };
  }
  for (const { created_at: at, ...policy } of seed.networkPolicies) {
    const source_cidr = canonicalCidr(policy.source_cidr) ?? policy.source_cidr;
    records.networkPolicies[policy.id] = { ...policy, source_cidr, ...common(at) };
  }
  for (const { created_at: at, ...trunk } of seed.trunks) records.trunks[trunk.id] = { ...trunk, ...common(at) };
  for (const { created_at: at, ...webhook } of seed.webhooks) {
    const disabled = webhook.enabled ? {} : { disabled_at: at ?? now };
    const fresh = { ...common(at), ...disabled, consecutive_failures: 0, signing_secret_sha256: null };
    records.webhooks[webhook.id] = { ...webhook, ...fresh };
  }
  for (const removed of seed.remove) for (const byId of Object.values(records)) Reflect.deleteProperty(byId, removed);
}
