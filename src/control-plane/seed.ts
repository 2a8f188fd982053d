import { z } from "zod";
import { kindList, type kinds, type KindName } from "./objects/index.js";
import { idField, organizationId, type RecordOf } from "./objects/kind.js";
import type { Store } from "./store.js";

/** Objects to add, or to replace by their ids, and ids of objects to remove. `created_at` is now by default. */
export type SeedInput = { readonly [Name in KindName]?: readonly z.input<(typeof kinds)[Name]["seed"]>[] } & {
  /** Ids of objects to remove, after everything else. The id of a retention policy is its resource. */
  readonly remove?: readonly string[];
};

export const seedSchema = z.strictObject({
  ...Object.fromEntries(kindList.map(([name, { seed }]) => [name, z.array(seed).default([])])),
  remove: z.array(idField).default([]),
});

/** The objects of a new control plane. */
export const defaultSeed = Object.fromEntries(kindList.map(([name, { initial }]) => [name, initial])) as SeedInput;

export function applySeed(store: Store, { remove, ...seed }: z.output<typeof seedSchema>): void {
  const now = store.now().toISOString();
  for (const [name, { key, own }] of kindList) {
    for (const { created_at = now, ...fields } of (seed as Record<string, { created_at?: string }[]>)[name] ?? []) {
      const common = { organization_id: organizationId, created_at, updated_at: created_at };
      const object: RecordOf = { ...fields, ...common, ...(own?.(fields, created_at) ?? {}) };
      store.data.records[name][String(object[key])] = object;
    }
  }
  for (const id of remove) for (const objects of Object.values(store.data.records)) Reflect.deleteProperty(objects, id);
}
