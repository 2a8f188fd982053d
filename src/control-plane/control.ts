/** What tests set and read of a control plane, and the objects of a new one. */
import { z } from "zod";
import type { OperationName } from "../contract/index.js";
import { faultSchema, type Fault, type HeldRequests } from "./faults.js";
import {
  idField,
  collectionList,
  organizationId,
  parsed,
  type collections,
  type CollectionName,
  type State,
} from "./objects.js";
import { ControlPlaneError, emptyData, type Counters, type JournalEntry, type Store } from "./store.js";

/** Objects to add, or to replace by their ids, and ids of objects to remove. `created_at` is now by default. */
export type SeedInput = {
  readonly [Name in CollectionName]?: readonly z.input<(typeof collections)[Name]["seed"]>[];
} & {
  /** Ids of objects to remove, after everything else. The id of a retention policy is its resource. */
  readonly remove?: readonly string[];
};

const seedSchema = z.strictObject({
  ...Object.fromEntries(collectionList.map(([name, { seed }]) => [name, z.array(seed).default([])])),
  remove: z.array(idField).default([]),
});

/** The objects of a new control plane. */
const defaultSeed = Object.fromEntries(collectionList.map(([name, { initial }]) => [name, initial])) as SeedInput;

function applySeed(store: Store, { remove, ...seed }: z.output<typeof seedSchema>): void {
  const now = store.now().toISOString();
  for (const [name, { key, own }] of collectionList) {
    for (const { created_at = now, ...fields } of (seed as Record<string, { created_at?: string }[]>)[name] ?? []) {
      const common = { organization_id: organizationId, created_at, updated_at: created_at };
      const object: Record<string, unknown> = { ...fields, ...common, ...own?.(fields, created_at) };
      const objects = store.data.records[name] as Record<string, unknown>;
      objects[String(object[key])] = object;
    }
  }
  for (const id of remove) for (const objects of Object.values(store.data.records)) Reflect.deleteProperty(objects, id);
}

/** What tests set and read: in the process here, over HTTP below `/_control/`. */
export class Control {
  readonly #store: Store;
  readonly #held: HeldRequests;
  readonly #closing: AbortSignal;

  /** @internal */
  constructor(store: Store, held: HeldRequests, closing: AbortSignal) {
    this.#store = store;
    this.#held = held;
    this.#closing = closing;
  }

  /** All objects. */
  state(): State {
    return this.#store.state();
  }

  /** Starts over: the objects of a new control plane, the machine's time, and no journal, counters, faults or held requests. */
  reset(): void {
    this.#held.drop();
    this.#store.change(() => {
      this.#store.data = emptyData();
      applySeed(this.#store, seedSchema.parse(defaultSeed));
    });
  }

  /** Adds, replaces and removes objects. */
  seed(input: SeedInput): void {
    const seed = parsed(seedSchema, input, ControlPlaneError);
    this.#store.change(() => {
      applySeed(this.#store, seed);
    });
  }

  /** The requests to the interface with higher ids than `after`, oldest first. The journal keeps the latest 10000, and 1000 over a restart. */
  journal(after = 0): JournalEntry[] {
    return this.#store.data.journal.filter(({ id }) => id > after);
  }

  /** Removes all entries. The counters stay. */
  clearJournal(): void {
    this.#store.set({ journal: [] });
  }

  /** The faults that are set, with their remaining counts. */
  faults(): Fault[] {
    return [...this.#store.data.faults];
  }

  /** Replaces all faults. The first that matches a request applies. */
  setFaults(faults: readonly Fault[]): void {
    this.#store.set({ faults: parsed(z.array(faultSchema), faults, ControlPlaneError) });
  }

  /** Resolves when this many requests are held by a fault with `hold`. */
  async held(operation: OperationName | "*" = "*", count = 1): Promise<void> {
    await this.#held.until(operation, count, this.#closing);
  }

  /** Lets the requests that are held now go on, also those whose client is gone. */
  release(operation: OperationName | "*" = "*"): void {
    this.#held.release(operation);
  }

  /** The control plane's time, ISO 8601 in UTC, and how far it is ahead of the machine's. */
  clock(): { readonly now: string; readonly offsetMs: number } {
    return { now: this.#store.now().toISOString(), offsetMs: this.#store.data.offsetMs };
  }

  /** Sets the time. The clock runs on from there. */
  setClock(now: Date | string): void {
    this.#setOffset(new Date(now).getTime() - Date.now());
  }

  /** Moves the time. Negative values move it back. */
  advanceClock(ms: number): void {
    this.#setOffset(this.#store.data.offsetMs + ms);
  }

  #setOffset(offsetMs: number): void {
    const year = new Date(Date.now() + offsetMs).getUTCFullYear();
    if (!(year >= 0 && year <= 9998)) throw new ControlPlaneError("the time has to be in the years 0 to 9998");
    this.#store.set({ offsetMs });
  }

  /** How often each operation changed something, in total and for each object. */
  counters(): Counters {
    return structuredClone(this.#store.data.counters);
  }
}
