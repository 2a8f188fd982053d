/** What the last run left: the text that the caller keeps between runs. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { codeOf, tried } from "../values.js";
import { z } from "zod";
import type { RunFacts } from "./commands.js";
import { makeFolder } from "./files.js";
import { startedCli, type ProcessId, type StartedCli } from "../engine/processes.js";

/** Where the record is kept. */
export interface RecordStore {
  /** Undefined if there is none yet. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /**
   * Gets the record of a run that has ended. Default: `write`. A store may keep it and write it in one transaction with the run's
   * result: if that is lost, the next run reports what was rotated.
   */
  finish?(text: string): Promise<void>;
  /** Where it is a file: no input of a run. */
  readonly path?: string;
}

const lostRotation = z.object({
  /** The webhook's id. */
  id: z.string(),
  organization: z.string().optional(),
  /** When it was sent or answered, ISO 8601, by the clock that dates rotations in the state. */
  at: z.string(),
});

export type Lost = Readonly<z.infer<typeof lostRotation>>;

const recordSchema = z.object({
  version: z.literal(1),
  /** The digest of each input, by its name. */
  inputs: z.record(z.string(), z.string()),
  /** Of the state that the run left. */
  stateVersion: z.string().optional(),
  /** When the run ended, or began if it has not ended: ms since the epoch. */
  at: z.number(),
  /** Why the next run must not be skipped, beside what has changed by then; null if nothing is open. */
  open: z.string().nullable(),
  nextDueDate: z.string().nullable(),
  /** The run that has begun and not ended. */
  run: z.object({ host: z.string(), folder: z.string() }).optional(),
  /** The CLIs of runs since the last one that ended well. A lock of theirs is known for sure. */
  started: z.array(startedCli).optional(),
  /** The names of the journals of runs that ended without a report. */
  unreported: z.array(z.string()).optional(),
  /** Rotations that may have been carried out, whose secret is not in the state. They were reported as uncertain. */
  lost: z.array(lostRotation).optional(),
  /** The state may lack settings that were sent: the next run sends all of them again, with this mark. */
  resend: z.string().optional(),
});

export type RunRecord = z.infer<typeof recordSchema>;

/** Undefined if there is none that can be read: the run is then like the first one. */
export function parseRecord(text: string | undefined): RunRecord | undefined {
  return text === undefined ? undefined : tried(() => recordSchema.parse(JSON.parse(text)));
}

/** A record that was read becomes the text that it was: a store may compare it. */
export const recordText = (record: RunRecord): string => `${JSON.stringify(recordSchema.parse(record))}\n`;

/** A record in a file. A run that dies while it writes leaves the old one. */
export function recordFile(file: string): RecordStore {
  return {
    path: file,
    read: async () => {
      try {
        return await Promise.resolve(readFileSync(file, "utf8"));
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
      }
    },
    write: async (text) => {
      const made = `${file}.${process.pid}`;
      makeFolder(dirname(file));
      try {
        writeFileSync(made, text, { mode: 0o600 });
        renameSync(made, file);
      } finally {
        rmSync(made, { force: true });
      }
      return Promise.resolve();
    },
  };
}

/** More of them say no more: an older lock is too old. */
const maxStarted = 10;

type Facts = Pick<RunFacts, "record" | "store" | "processes" | "files" | "now">;

/** The record while a run is under way: whenever the run dies, the next one knows what to do. */
export class RunningRecord {
  /** The CLIs whose locks are known for sure. */
  readonly started: StartedCli[];
  /** Whether a command that changes the stack may have been started. */
  hasBegun = false;
  readonly #facts: Facts;
  #resend: string | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.started = [...(facts.record?.started ?? [])];
    this.#resend = facts.record?.resend;
  }

  /**
   * Before each command that changes the stack: a run has not ended. A caller whose own lock is lost with its store starts nothing more.
   *
   * @param resend kept until a run has ended well
   * @throws Error if the store is gone
   */
  async begin(resend: string | undefined): Promise<void> {
    this.#resend = resend;
    await this.#write();
    this.hasBegun = true;
  }

  async noteStarted(cli: ProcessId): Promise<void> {
    this.started.push({ host: this.#facts.processes.host, cli, at: this.#facts.now().getTime() });
    await this.#write();
  }

  /** The run has failed, and its result says what was sent. */
  async fail(left: Pick<RunRecord, "lost" | "resend">): Promise<void> {
    if (!this.hasBegun) return;
    await this.#finish({ ...this.#notEnded("the last run failed"), ...left, resend: left.resend ?? this.#resend });
  }

  /** Another run holds the stack, so nothing was run, and the record of the earlier run still holds. */
  async restore(): Promise<void> {
    await this.#finish(this.#facts.record ?? this.#notEnded("the stack was locked"));
  }

  /** Nothing was sent: what the earlier runs left stays, and the next run is not skipped. */
  async refuse(): Promise<void> {
    const open = "the last run ended after its preview";
    const { record } = this.#facts;
    await this.#finish(record ? { ...record, open: record.open ?? open } : this.#notEnded(open));
  }

  async end(left: Pick<RunRecord, "inputs" | "stateVersion" | "open" | "nextDueDate" | "lost">): Promise<void> {
    await this.#finish({ version: 1, at: this.#facts.now().getTime(), ...left });
  }

  async #write(): Promise<void> {
    const { store, record, files, processes } = this.#facts;
    const folder = basename(files);
    const run = { host: processes.host, folder };
    const unreported = [...(record?.unreported ?? []), folder];
    await store.write(recordText({ ...this.#notEnded("the last run did not end"), run, unreported }));
  }

  /** @param open why the next run must not be skipped */
  #notEnded(open: string): RunRecord {
    const { now, record } = this.#facts;
    return {
      version: 1,
      inputs: {},
      at: now().getTime(),
      open,
      nextDueDate: record?.nextDueDate ?? null,
      started: this.started.slice(-maxStarted),
      lost: record?.lost,
      resend: this.#resend,
    };
  }

  #finish(record: RunRecord): Promise<void> {
    const { store } = this.#facts;
    const text = recordText(record);
    return store.finish ? store.finish(text) : store.write(text);
  }
}
