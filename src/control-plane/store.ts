/** All data of a control plane, in memory and in a file. */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { OperationName } from "../contract/index.js";
import type { StoredFault } from "./faults.js";
import { collectionList, type Objects, type State } from "./objects.js";

/** One request to the interface and its answer, without tokens and secrets. */
export interface JournalEntry {
  /** Its number. Later requests have higher numbers. */
  readonly id: number;
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
  /** The JSON of a PUT or PATCH. Fields that the interface does not define have the value "…". */
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

/** How often each operation changed something. Operations that changed nothing are missing. */
export type Counters = Partial<
  Record<OperationName, { readonly total: number; readonly objects: Record<string, number> }>
>;

/** The control plane cannot start or store, or an input is invalid. The message is one line, and repeats no value of an input. */
export class ControlPlaneError extends Error {
  override readonly name = "ControlPlaneError";
}

/** How many requests the journal keeps. */
const longestJournal = { inMemory: 10_000, inFile: 1_000 };

export function emptyData() {
  return {
    /** Marks the file, so that no file of another program is overwritten. */
    voiceplaneControlPlane: 1,
    /** The objects of each collection, by id. */
    records: Object.fromEntries(collectionList.map(([name]) => [name, {}])) as unknown as Objects,
    counters: {} as Counters,
    faults: [] as readonly StoredFault[],
    /** Milliseconds that the clock is ahead of the machine's. */
    offsetMs: 0,
    journal: [] as JournalEntry[],
    lastId: 0,
  };
}
type Data = ReturnType<typeof emptyData>;

/** With a file, a change is in it before it is answered, so that answered changes survive `kill -9`. */
export class Store {
  data = emptyData();
  /** Whether it needs the objects of a new control plane. */
  readonly isNew: boolean;
  /** The content of the file, and when it was written. */
  #written: { readonly text: string; readonly at: bigint } | undefined;

  constructor(private readonly file: string | undefined) {
    this.isNew = file === undefined || !existsSync(file);
    if (file !== undefined && !this.isNew) this.#read(file);
  }

  now(): Date {
    return new Date(Date.now() + this.data.offsetMs);
  }

  /** All objects. */
  state(): State {
    const { records } = this.data;
    return Object.fromEntries(collectionList.map(([name]) => [name, Object.values(records[name])])) as unknown as State;
  }

  count(operation: OperationName, id: string): void {
    const { total, objects } = this.data.counters[operation] ?? { total: 0, objects: {} };
    this.data.counters[operation] = { total: total + 1, objects: { ...objects, [id]: (objects[id] ?? 0) + 1 } };
  }

  append(entry: Omit<JournalEntry, "id">): void {
    const { journal } = this.data;
    journal.push({ id: ++this.data.lastId, ...entry });
    if (journal.length > longestJournal.inMemory) journal.shift();
  }

  /** Makes a change and stores it. If it cannot be stored, the data is as before. */
  change<T>(work: () => T): T {
    const result = work();
    if (this.file !== undefined) this.#write(this.file);
    return result;
  }

  set(data: Partial<Data>): void {
    this.change(() => Object.assign(this.data, data));
  }

  #read(file: string): void {
    try {
      const text = readFileSync(file, "utf8");
      this.data = dataIn(text);
      this.#written = { text, at: modifiedAt(file) };
    } catch (cause) {
      throw new ControlPlaneError(`${file} is not a control plane's file: choose another one`, { cause });
    }
  }

  /** The file is renamed when it is whole, so a killed process leaves the old one or the new one. */
  #write(file: string): void {
    const text = JSON.stringify({ ...this.data, journal: this.data.journal.slice(-longestJournal.inFile) });
    try {
      if (existsSync(file) && modifiedAt(file) !== this.#written?.at) throw new Error("another process writes it");
      writeFileSync(`${file}.new`, text, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      this.#written = { text, at: modifiedAt(file) };
    } catch (cause) {
      if (this.#written !== undefined) this.data = dataIn(this.#written.text);
      const { message } = cause as Error;
      throw new ControlPlaneError(`${file} cannot be written: ${message}`, { cause });
    }
  }
}

/** A file of an older version lacks the collections that are new since. */
function dataIn(text: string): Data {
  const data = JSON.parse(text) as Partial<Data>;
  if (data.voiceplaneControlPlane !== 1) throw new Error("it lacks the mark");
  const empty = emptyData();
  return { ...empty, ...data, records: { ...empty.records, ...data.records } };
}

const modifiedAt = (file: string): bigint => statSync(file, { bigint: true }).mtimeNs;
