/** What a control plane knows, in memory and in a file, and what tests set and read of it. */
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { OperationName } from "../contract/index.js";
import { faultSchema, type Fault, type StoredFault } from "./faults.js";
import {
  collectionNames,
  ControlPlaneError,
  initialSeed,
  parsed,
  seedSchema,
  type CollectionName,
  type Objects,
  type SeedInput,
  type State,
} from "./objects.js";

/** One request to the interface and its answer, without tokens and secrets. */
export interface JournalEntry {
  /** When it was handled, ISO 8601 in UTC, by the control plane's clock. */
  readonly time: string;
  /** The answer's X-Request-ID. */
  readonly requestId: string;
  /** null if the interface does not define the path or method. */
  readonly operation: OperationName | null;
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The token's name, such as "full". null if it is missing or unknown. */
  readonly token: string | null;
  /** The request's JSON. null if it has none. */
  readonly body: unknown;
  /** The HTTP status. null if no answer is sent. */
  readonly status: number | null;
  /** Whether the request changed something. */
  readonly committed: boolean;
  /** Why the request was refused. null if it was not. */
  readonly refusal: string | null;
  /** What the fault that applied does, such as "status" or "latencyMs, reset". */
  readonly fault: string | null;
}

const emptyData = () => ({
  /** Marks the file, so that no file of another program is overwritten. */
  voiceplaneControlPlane: 1,
  /** The objects of each collection, by id. */
  records: Object.fromEntries(collectionNames.map((name) => [name, {}])) as unknown as Objects,
  faults: [] as readonly StoredFault[],
  /** Milliseconds that the clock is ahead of the machine's. */
  offsetMs: 0,
  journal: [] as JournalEntry[],
});
export type Data = ReturnType<typeof emptyData>;

type Seed = { readonly remove: readonly string[] } & Record<CollectionName, readonly Record<string, string>[]>;

/** What tests set and read: in the process here, over HTTP below `/_control/`. */
export class Control {
  #data = emptyData();
  readonly #file: string | undefined;
  readonly #held = new Set<{ readonly operation: OperationName; readonly go: () => void }>();
  readonly #events = new EventEmitter<{ held: [] }>().setMaxListeners(0);
  readonly #closing = new AbortController();

  /** @internal */
  constructor(file?: string) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) this.reset();
    else this.#data = readData(file);
  }

  /** All objects. */
  state(): State {
    const { records } = this.#data;
    return Object.fromEntries(collectionNames.map((name) => [name, Object.values(records[name])])) as unknown as State;
  }

  /** Starts over: the objects of a new control plane, the machine's time, and no journal or faults. Held requests get no answer. */
  reset(): void {
    this.#held.clear();
    this.#data = emptyData();
    this.seed(initialSeed);
  }

  /** Adds, replaces and removes objects. */
  seed(input: SeedInput): void {
    const { remove, ...seed } = parsed(seedSchema, input) as unknown as Seed;
    const now = this.now();
    this.change(({ records }) => {
      for (const name of collectionNames) {
        const objects = records[name] as Record<string, unknown>;
        for (const fields of seed[name]) objects[fields.resource ?? fields.id ?? ""] = { ...fields, updated_at: now };
        for (const id of remove) Reflect.deleteProperty(objects, id);
      }
    });
  }

  /** The latest 10000 requests to the interface, oldest first. */
  journal(): JournalEntry[] {
    return [...this.#data.journal];
  }

  /** The faults that are set, with their remaining counts. */
  faults(): Fault[] {
    return [...this.#data.faults];
  }

  /** Replaces all faults. The first that matches a request applies. */
  setFaults(faults: readonly Fault[]): void {
    const valid = parsed(z.array(faultSchema), faults);
    this.change((data) => {
      data.faults = valid;
    });
  }

  /** Resolves when this many requests are held by a fault with `hold`. */
  async held(operation: OperationName | "*" = "*", count = 1): Promise<void> {
    const { signal } = this.#closing;
    while (this.#heldOf(operation).length < count) await once(this.#events, "held", { signal });
  }

  /** Lets the requests that are held now go on, also those whose client is gone. */
  release(operation: OperationName | "*" = "*"): void {
    for (const each of this.#heldOf(operation)) {
      this.#held.delete(each);
      each.go();
    }
  }

  /** The control plane's time, ISO 8601 in UTC, and how far it is ahead of the machine's. */
  clock(): { readonly now: string; readonly offsetMs: number } {
    return { now: this.now(), offsetMs: this.#data.offsetMs };
  }

  /** Sets the time. The clock runs on from there. */
  setClock(now: Date | string): void {
    const time = parsed(z.coerce.date(), now).getTime();
    this.change((data) => {
      data.offsetMs = time - Date.now();
    });
  }

  /** @internal */
  now(): string {
    return new Date(Date.now() + this.#data.offsetMs).toISOString();
  }

  /** @internal Makes a change. It is in the file before it is answered, so that answered changes survive `kill -9`. */
  change<T>(work: (data: Data) => T): T {
    const result = work(this.#data);
    if (this.#file !== undefined) writeData(this.#file, this.#data);
    return result;
  }

  /** @internal The first fault that matches the operation. It then applies to one request less. */
  takeFault(operation: OperationName): StoredFault | undefined {
    const fault = this.#data.faults.find((each) => ["*", operation].includes(each.operation));
    if (fault?.count === undefined) return fault;
    const left = fault.count === 1 ? [] : [{ ...fault, count: fault.count - 1 }];
    this.change((data) => {
      data.faults = data.faults.flatMap((each) => (each === fault ? left : each));
    });
    return fault;
  }

  /** @internal Resolves when the request is released. */
  async hold(operation: OperationName): Promise<void> {
    await new Promise<void>((go) => {
      this.#held.add({ operation, go });
      this.#events.emit("held");
    });
  }

  /** @internal */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** @internal */
  close(): void {
    this.#closing.abort();
    this.#held.clear();
  }

  #heldOf(operation: OperationName | "*") {
    return [...this.#held].filter((each) => ["*", each.operation].includes(operation));
  }
}

function readData(file: string): Data {
  try {
    const data = JSON.parse(readFileSync(file, "utf8")) as Data;
    if (data.voiceplaneControlPlane !== 1) throw new Error("it lacks the mark");
    return data;
  } catch (cause) {
    throw new ControlPlaneError(`${file} is not a control plane's file: choose another one`, { cause });
  }
}

/** The file is renamed when it is whole, so a killed process leaves the old one or the new one. */
function writeData(file: string, data: Data): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(data), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (cause) {
    throw new ControlPlaneError(`${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}
