import { z } from "zod";
import { kindNames, kinds, type KindName } from "./objects/index.js";
import { idField, organizationId, type CommonFields, type Kind } from "./objects/kind.js";
import type { Store } from "./store.js";

type SeedOf<Name extends KindName> = z.ZodObject<(typeof kinds)[Name]["seed"]>;

/** Objects to add, or to replace by their ids, and ids of objects to remove. `created_at` is now by default. */
export type SeedInput = { readonly [Name in KindName]?: readonly z.input<SeedOf<Name>>[] } & {
  /** Ids of objects to remove, after everything else. The id of a retention policy is its resource. */
  readonly remove?: readonly string[];
};

type SeedKind = Kind<CommonFields, { created_at: z.ZodOptional<z.ZodISODateTime> }>;
const seedKinds = kindNames.map((name) => [name, kinds[name] as unknown as SeedKind] as const);

const listOf = (shape: z.ZodRawShape) => z.array(z.strictObject(shape)).default([]);

export const seedSchema = z.strictObject({
  ...Object.fromEntries(seedKinds.map(([name, { seed }]) => [name, listOf(seed)])),
  remove: z.array(idField).default([]),
});

/** The objects of a new control plane. */
export const defaultSeed = Object.fromEntries(seedKinds.map(([name, { initial }]) => [name, initial])) as SeedInput;

export function applySeed(store: Store, { remove, ...seed }: z.output<typeof seedSchema>): void {
  const { records } = store.data;
  const now = store.now().toISOString();
  for (const [name, { seeded, idOf }] of seedKinds) {
    const objects: Record<string, CommonFields> = records[name];
    for (const { created_at = now, ...fields } of (seed as Record<string, { created_at?: string }[]>)[name] ?? []) {
      const object = seeded(fields, { organization_id: organizationId, created_at, updated_at: created_at });
      objects[idOf(object)] = object;
    }
  }
  for (const removed of remove) for (const objects of Object.values(records)) Reflect.deleteProperty(objects, removed);
}
