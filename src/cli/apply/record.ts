/** What the last run left: the text that the caller keeps between runs. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../machine.js";
import { codeOf, isObject, parseJson, tried } from "../../values/any.js";
import { z } from "zod";
import { saveFolder } from "./files.js";
import { startedCli, type ProcessId, type StartedCli } from "../engine/processes.js";

/** Where the record is kept. */
export interface RecordStore {
  /** Undefined if there is none yet. */
  read(): Promise<string | undefined>;
  /**
   * Keeps a record.
   *
   * @param text replaces what was there
   */
  write(text: string): Promise<void>;
  /**
   * Gets the record of a run that has ended, before `onResult` gets its result: a store may write both in one transaction. If that
   * is lost, the next run reports what was rotated. Default: `write`, after `onResult`.
   *
   * @param text replaces what was there
   */
  finish?(text: string): Promise<void>;
  /** Where it is a file. The journals are beside it. */
  readonly path?: string;
}

const stackName = z.object({
  /** The backend's address, without a password. */
  backend: z.string(),
  project: z.string(),
  stack: z.string(),
});

/** Whose record or journal it is. */
export type StackName = Readonly<z.infer<typeof stackName>>;

const lostRotation = z.object({
  /** The webhook's id; undefined where the program made it secret. */
  id: z.string().optional(),
  organization: z.string().optional(),
  /** The id of the attempt; undefined where none is known. */
  rotation: z.string().optional(),
  /** The id of the rotation that the state had then; null if it had none. */
  since: z.string().nullable(),
  /** Whether the server confirmed it, and the state has not taken the secret. */
  answered: z.boolean().optional(),
});

/** A rotation that may have been carried out, whose secret is not in the state. */
export type Lost = Readonly<z.infer<typeof lostRotation>>;

const keptRotations = z.object({
  id: z.string(),
  organization: z.string(),
  /** The ids of its rotations that the state had after runs, the newest last. */
  rotations: z.array(z.string()),
});

export type KeptRotations = Readonly<z.infer<typeof keptRotations>>;

const recordSchema = z.object({
  version: z.literal(2),
  of: stackName,
  /** What the caller called the revision of its files in the last run that ended well. */
  revision: z.string().optional(),
  /** The digest of the variables and options of that run. */
  variables: z.string().optional(),
  /** The digest of the files that said what to send, as that run found them. */
  declarations: z.string().optional(),
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
  /** They were reported as uncertain. */
  lost: z.array(lostRotation).optional(),
  kept: z.array(keptRotations).optional(),
  /** The state may lack settings that were sent: the next run sends all of them again, with this mark. */
  resend: z.string().optional(),
});

export type RunRecord = z.infer<typeof recordSchema>;

const newest = 2;

/**
 * Undefined if it is missing, of an older version, or cannot be read. The run is then like the first one, and reads all journals.
 *
 * @throws Error if it is of another stack, or of a newer version of this package
 */
export function parseRecord(text: string | undefined, of: StackName): RunRecord | undefined {
  const json = parseJson(text ?? "");
  if (isObject(json) && typeof json.version === "number" && json.version > newest) {
    throw new Error("the record of the last run is of a newer version of voiceplane: update this one");
  }
  const record = tried(() => recordSchema.parse(json));
  if (record) requireSame(record.of, of, "the record");
  return record;
}

/** @throws Error if it is of another stack */
export function requireSame(found: StackName, own: StackName, what: string): void {
  if ((["backend", "project", "stack"] as const).every((key) => found[key] === own[key])) return;
  const { stack, project, backend } = found;
  throw new Error(
    `${what} is of the stack ${stack} of the project ${project} in ${backend}: give each stack a --record of its own. ` +
      "If this stack was moved from there, remove the record",
  );
}

/** A record that was read becomes the text that it was: a store may compare it. */
export const recordText = (record: RunRecord): string => `${JSON.stringify(recordSchema.parse(record))}\n`;

/**
 * A record in a file. A run that dies while it writes leaves the old one, and so does a machine that loses its power.
 *
 * @param file its path
 */
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
        writeFileSync(made, text, { mode: 0o600, flush: true });
        renameSync(made, file);
        saveFolder(dirname(file));
      } finally {
        rmSync(made, { force: true });
      }
      return Promise.resolve();
    },
  };
}

/** More of them say no more: an older lock is too old. */
const maxStarted = 10;

/** What the record of a run has, or is written with. */
interface RecordFacts {
  /** What the last run left. */
  readonly last: RunRecord | undefined;
  readonly store: RecordStore;
  /** Whose record it is. */
  readonly of: StackName;
  readonly revision: string | undefined;
  /** See {@link RunRecord}. */
  readonly variables: string;
  readonly declarations: string;
  /** The machine of this run, and the name of its private folder. */
  readonly run: NonNullable<RunRecord["run"]>;
  readonly now: () => Date;
}

/** The rotations that a run leaves to the next one. */
export type Left = Pick<RunRecord, "lost" | "kept">;

/** The record while a run is under way: whenever the run dies, the next one knows what to do. */
export class RunningRecord {
  /** The CLIs whose locks are known for sure. */
  readonly started: StartedCli[];
  /** Whether a command that changes the stack may have been started. */
  hasBegun = false;
  /** What the last run left. */
  readonly last: RunRecord | undefined;
  readonly run: NonNullable<RunRecord["run"]>;
  readonly #facts: RecordFacts;
  #resend: string | undefined;

  constructor(facts: RecordFacts) {
    this.#facts = facts;
    ({ last: this.last, run: this.run } = facts);
    this.started = [...(facts.last?.started ?? [])];
    this.#resend = facts.last?.resend;
  }

  /** A new mark to send settings again. The state keeps the one with which a setting was sent. */
  mark(): string {
    return this.#facts.now().toISOString();
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
    this.started.push({ host: this.run.host, cli, at: this.#facts.now().getTime() });
    await this.#write();
  }

  /** A CLI that exited has removed its lock. The lock of another one may look the same. */
  noteEnded(): void {
    this.started.pop();
  }

  /** Of a run that failed, and whose result says what was sent. */
  failed(left: Left & Pick<RunRecord, "resend">): RunRecord {
    return { ...this.#notEnded("the last run failed"), ...left, resend: left.resend ?? this.#resend };
  }

  /** Another run holds the stack, so nothing was run, and the record of the earlier run still holds. */
  locked(): RunRecord {
    return this.last ?? this.#notEnded("the stack was locked");
  }

  /** Nothing was sent: what the earlier runs left stays, and the next run is not skipped. */
  refused(): RunRecord {
    const open = "the last run ended after its preview";
    return this.last ? { ...this.last, open: this.last.open ?? open } : this.#notEnded(open);
  }

  ended(left: Left & Pick<RunRecord, "stateVersion" | "open" | "nextDueDate">): RunRecord {
    const { of, revision, variables, declarations, now } = this.#facts;
    return { version: newest, of, revision, variables, declarations, at: now().getTime(), ...left };
  }

  async #write(): Promise<void> {
    await this.#facts.store.write(recordText({ ...this.#notEnded("the last run did not end"), run: this.run }));
  }

  /** @param open why the next run must not be skipped */
  #notEnded(open: string): RunRecord {
    const { now, last, of } = this.#facts;
    return {
      version: newest,
      of,
      at: now().getTime(),
      open,
      nextDueDate: last?.nextDueDate ?? null,
      started: this.started.slice(-maxStarted),
      lost: last?.lost,
      kept: last?.kept,
      resend: this.#resend,
    };
  }
}
