import { EventEmitter } from "node:events";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import type { OperationName } from "../contract/index.js";
import { explainStorageError } from "./errors.js";
import type { Counters, JournalEntry, RecordKind, Records } from "./records.js";
import { openDatabase } from "./sqlite.js";

/** A request without its number, and without its body. */
export type RequestEntry = Omit<JournalEntry, "id" | "body">;

/** Older entries are deleted, so that a long run does not fill the disk or the memory. */
const journalCapacity = 100_000;
const journalMaxBytes = 64 * 1024 * 1024;

const bytesOf = "(octet_length(entry) + coalesce(octet_length(body), 0))";

/** All data. {@link Store.transaction} returns after the change is on disk, so answered changes survive `kill -9`. */
export class Store {
  readonly #statements = new Map<string, StatementSync>();
  /** Undefined if it has to be counted. */
  #journalBytes: number | undefined;

  /** After each transaction, before the answer. A listener must be fast and not throw. */
  readonly events = new EventEmitter<{ change: [] }>();
  /** Public for tests that damage the database. */
  readonly database: DatabaseSync;

  /** Keeps everything in memory if `file` is undefined. */
  constructor(private readonly file?: string) {
    this.database = openDatabase(file);
  }

  close(): void {
    this.database.close();
  }

  /** Runs `work` as one transaction. Throws ControlPlaneError if it cannot be stored. */
  transaction<T>(work: () => T): T {
    let result: T;
    try {
      this.database.exec("BEGIN IMMEDIATE");
      result = work();
      this.database.exec("COMMIT");
    } catch (error) {
      // SQLite has already rolled back after some errors, such as a full disk.
      if (this.database.isTransaction) this.database.exec("ROLLBACK");
      this.#journalBytes = undefined;
      throw explainStorageError(error, this.file ?? "memory");
    }
    this.events.emit("change");
    return result;
  }

  setting(key: string): unknown {
    const row = this.#sql("SELECT value FROM settings WHERE key = ?").get(key);
    return row === undefined ? undefined : JSON.parse(row.value as string);
  }

  setSetting(key: string, value: unknown): void {
    this.#sql("INSERT OR REPLACE INTO settings VALUES (?, ?)").run(key, JSON.stringify(value));
  }

  get<K extends RecordKind>(kind: K, id: string): Records[K] | undefined {
    const row = this.#sql("SELECT record FROM records WHERE kind = ? AND id = ?").get(kind, id);
    return row === undefined ? undefined : (JSON.parse(row.record as string) as Records[K]);
  }

  list<K extends RecordKind>(kind: K): Records[K][] {
    const rows = this.#sql("SELECT record FROM records WHERE kind = ? ORDER BY id").all(kind);
    return rows.map((row) => JSON.parse(row.record as string) as Records[K]);
  }

  put<K extends RecordKind>(kind: K, id: string, record: Records[K]): void {
    this.#sql("INSERT OR REPLACE INTO records VALUES (?, ?, ?)").run(kind, id, JSON.stringify(record));
  }

  remove(id: string): void {
    this.#sql("DELETE FROM records WHERE id = ?").run(id);
  }

  countCommit(operation: OperationName, object: string): void {
    this.#sql(
      "INSERT INTO commits VALUES (?, ?, 1) ON CONFLICT (operation, object) DO UPDATE SET count = count + 1",
    ).run(operation, object);
  }

  counters(): Counters {
    const rows = this.#sql("SELECT operation, object, count FROM commits ORDER BY operation, object").all();
    const counters: Partial<Record<OperationName, { total: number; objects: Record<string, number> }>> = {};
    for (const row of rows) {
      const counter = (counters[row.operation as OperationName] ??= { total: 0, objects: {} });
      counter.total += row.count as number;
      counter.objects[row.object as string] = row.count as number;
    }
    return counters;
  }

  /** @param body the request's text, or null */
  appendToJournal(entry: RequestEntry, body: string | null): void {
    const text = JSON.stringify(entry);
    this.#journalBytes ??= this.#countJournalBytes();
    const { lastInsertRowid } = this.#sql("INSERT INTO journal (entry, body) VALUES (?, ?)").run(text, body);
    this.#journalBytes += Buffer.byteLength(text) + Buffer.byteLength(body ?? "");
    const lastTooOld = Number(lastInsertRowid) - journalCapacity;
    let oldest = this.#oldestEntry();
    while (oldest.id <= lastTooOld || this.#journalBytes > journalMaxBytes) {
      this.#sql("DELETE FROM journal WHERE id = ?").run(oldest.id);
      this.#journalBytes -= oldest.bytes;
      oldest = this.#oldestEntry();
    }
  }

  #oldestEntry(): { id: number; bytes: number } {
    return this.#sql(`SELECT id, ${bytesOf} AS bytes FROM journal ORDER BY id LIMIT 1`).get() as never;
  }

  #countJournalBytes(): number {
    return this.#sql(`SELECT coalesce(sum(${bytesOf}), 0) AS bytes FROM journal`).get()?.bytes as number;
  }

  /** The `latest` entries, oldest first. */
  journal(latest = journalCapacity): JournalEntry[] {
    return this.#sql("SELECT id, entry, body FROM journal ORDER BY id DESC LIMIT ?").all(latest).reverse().map(entryOf);
  }

  /** The first entries with higher ids than `after`. */
  journalAfter(after: number, limit: number): JournalEntry[] {
    return this.#sql("SELECT id, entry, body FROM journal WHERE id > ? ORDER BY id LIMIT ?")
      .all(after, limit)
      .map(entryOf);
  }

  /** The number of entries. Ids have no gaps, so subtracting them is faster than counting. */
  journalSize(): number {
    const row = this.#sql("SELECT (SELECT max(id) FROM journal) - (SELECT min(id) FROM journal) + 1 AS size").get();
    return (row?.size as number | null) ?? 0;
  }

  clearJournal(): void {
    this.#sql("DELETE FROM journal").run();
    this.#journalBytes = undefined;
  }

  clear(): void {
    for (const table of ["settings", "records", "commits"]) this.#sql(`DELETE FROM ${table}`).run();
    this.clearJournal();
  }

  #sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.database.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** The control plane's time: the machine's, plus an offset that the admin sets. */
export class Clock {
  constructor(
    private readonly store: Store,
    /** Milliseconds since the epoch. */
    readonly machine: () => number,
  ) {}

  /** Milliseconds ahead of the machine. */
  get offsetMs(): number {
    return (this.store.setting("clockOffsetMs") as number | undefined) ?? 0;
  }

  /** Call it inside a transaction. */
  set offsetMs(ms: number) {
    this.store.setSetting("clockOffsetMs", ms);
  }

  now(): Date {
    return new Date(this.machine() + this.offsetMs);
  }

  /** ISO 8601 in UTC. */
  timestamp(): string {
    return this.now().toISOString();
  }
}

function entryOf(row: Record<string, SQLOutputValue>): JournalEntry {
  const entry = JSON.parse(row.entry as string) as RequestEntry;
  return { id: row.id as number, ...entry, body: parsedOrText(row.body as string | null) };
}

function parsedOrText(body: string | null): unknown {
  if (body === null) return null;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
