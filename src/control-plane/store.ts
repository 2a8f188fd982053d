import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { OperationName } from "../contract/index.js";
import { kindNames } from "./objects/index.js";
import type { StoredFault } from "./faults.js";
import type { Counters, JournalEntry, State } from "./records.js";

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
    /** By id. */
    records: Object.fromEntries(kindNames.map((kind) => [kind, {}])) as unknown as Records,
    counters: {} as Counters,
    faults: [] as readonly StoredFault[],
    /** Milliseconds that the clock is ahead of the machine's. */
    offsetMs: 0,
    journal: [] as JournalEntry[],
    lastId: 0,
  };
}
type Data = ReturnType<typeof emptyData>;
type Records = { readonly [K in keyof State]: Record<string, State[K][number]> };

/** All data, in memory. With a file, a change is there before it is answered: answered changes survive `kill -9`. */
export class Store {
  data = emptyData();
  /** Whether it needs the objects of a new control plane. */
  readonly isNew: boolean;
  /** What the file has. */
  #written: { readonly text: string; readonly at: bigint } | undefined;

  constructor(private readonly file: string | undefined) {
    this.isNew = file === undefined || !existsSync(file);
    if (file !== undefined && !this.isNew) this.#read(file);
  }

  now(): Date {
    return new Date(Date.now() + this.data.offsetMs);
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

  /** Makes a change and stores it. If it cannot be stored, nothing has changed. */
  change<T>(work: () => T): T {
    const result = work();
    if (this.file !== undefined) this.#write(this.file);
    return result;
  }

  #read(file: string): void {
    try {
      const text = readFileSync(file, "utf8");
      const data = JSON.parse(text) as Partial<Data>;
      if (data.voiceplaneControlPlane !== 1) throw new Error("it lacks the mark");
      this.data = data as Data;
      this.#written = { text, at: modifiedAt(file) };
    } catch (cause) {
      throw new ControlPlaneError(`${file} is not a control plane's file: choose another one`, { cause });
    }
  }

  /** Whole, then renamed: a killed process leaves the old file or the new one. */
  #write(file: string): void {
    const text = JSON.stringify({ ...this.data, journal: this.data.journal.slice(-longestJournal.inFile) });
    try {
      if (existsSync(file) && modifiedAt(file) !== this.#written?.at) throw new Error("another process writes it");
      writeFileSync(`${file}.new`, text, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      this.#written = { text, at: modifiedAt(file) };
    } catch (cause) {
      if (this.#written !== undefined) this.data = JSON.parse(this.#written.text) as Data;
      const { message } = cause as Error;
      throw new ControlPlaneError(`${file} cannot be written: ${message}`, { cause });
    }
  }
}

const modifiedAt = (file: string): bigint => statSync(file, { bigint: true }).mtimeNs;
