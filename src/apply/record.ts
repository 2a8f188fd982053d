/** What the last run left: the text that the caller keeps between runs. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../values.js";
import { z } from "zod";
import { makeFolder } from "./files.js";
import { processId } from "./processes.js";

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

const startedCli = z.object({
  host: z.string(),
  cli: processId,
  /** When it was started, ms since the epoch. */
  at: z.number(),
});

export type StartedCli = Readonly<z.infer<typeof startedCli>>;

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
  run: z.object({ host: z.string(), cli: processId.optional(), folder: z.string() }).optional(),
  /** The CLIs of runs since the last one that ended well. A lock of theirs is known for sure. */
  started: z.array(startedCli).optional(),
  /** When the first run began that ended without a report, ms since the epoch. */
  unreportedSince: z.number().optional(),
});

export type RunRecord = z.infer<typeof recordSchema>;

/** Undefined if there is none that can be read: the run is then like the first one. */
export function parseRecord(text: string | undefined): RunRecord | undefined {
  if (text === undefined) return undefined;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
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
