/** What a lifecycle is given: ways to the server, the user, the other processes of the run, and this machine's memory. */
import type { Api } from "../client/operations.js";
import type { Diagnostic } from "../values/diagnostic.js";
import { NoteSet, type Note, type Notes } from "./notes.js";

export interface Log {
  info(message: string): void;
  warn(warning: Diagnostic): void;
}

interface RunNotes {
  readonly providers: Notes;
  readonly program: Notes;
  /** Why notes of other processes may be missing; undefined if none are. */
  readonly failure?: Error;
}

/** One run of the engine. The program and each provider are separate processes, which exchange notes. */
export interface EngineRun {
  note(note: Note): void;
  /** The notes of all processes so far, this one included. */
  notes(): RunNotes;
}

/** The run of a process that no engine has started: its notes stay in it. */
export function singleProcessRun(): EngineRun {
  const [providers, program] = [new NoteSet(), new NoteSet()];
  return {
    note: (note) => {
      providers.add(note);
    },
    notes: () => ({ providers, program }),
  };
}

/** What this machine remembers of requests, see `pending.ts`. Both functions throw if that cannot be read or written. */
export interface PendingRequests {
  /** Whether a request has left that started from the state with this `requestId`. Changes nothing. */
  isPending(requestId: string): boolean;
  /**
   * @param isDurable whether it must be on the disk before the request leaves, because sending it once more is not harmless
   * @returns a function that forgets it again, because the request was surely not carried out
   */
  begin(requestId: string, isDurable: boolean): () => void;
}

/** The memory of a process that remembers nothing. */
export const forgetful: PendingRequests = { isPending: () => false, begin: () => () => undefined };

export interface Context {
  /** The provider's organization: part of every object's identity. */
  readonly organization: string;
  /** Origin and path of the base URL. Empty if unknown. */
  readonly address: string;
  /** Whether it is an explicit Provider, whose name is the organization's. */
  readonly isExplicit?: boolean;
  readonly api: Api;
  readonly log: Log;
  readonly run: EngineRun;
  /** The resource's name; undefined where the engine does not say it. */
  readonly name?: string | undefined;
  /** What this machine remembers of earlier runs. */
  readonly pending: PendingRequests;
  /**
   * Why a secret that the run receives may be lost. `checkpoints`: the engine saves the state only when the run ends. `stateless`: there is
   * no state, as in `pulumi do --stateless`.
   */
  readonly unsaved?: "checkpoints" | "stateless" | undefined;
  now(): Date;
}
