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
  /** Why notes of other processes may be missing. */
  readonly whyIncomplete?: Error | undefined;
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

/** Whose object a request changes, and where it goes. */
export interface Target {
  readonly organization: string;
  readonly address: string;
}

/**
 * What this machine remembers of requests, see `pending.ts`. It finds a request by the state that it started from and by its target, because a
 * copy of a stack has states with the same ids. All functions throw if the memory cannot be read or written.
 */
export interface PendingRequests {
  /** Whether a request has left that started from this state. Changes nothing. */
  isPending(stateId: string, target: Target): boolean;
  /** The address of another target to which a request has left that started from a state with this id. Changes nothing. */
  sentElsewhere(stateId: string, target: Target): string | undefined;
  /**
   * Called before a request waits for its turn. If the process dies while it waits, this machine knows that nothing has left.
   *
   * @returns a function that forgets this, once the request has ended: later, another machine may send from the same state
   */
  prepare(stateId: string, target: Target): () => void;
  /**
   * Called immediately before a request leaves.
   *
   * @param isDurable whether it must be remembered on the disk first, because sending the request once more does harm
   * @returns a function that forgets the request, for one that was definitely not carried out
   */
  begin(stateId: string, target: Target, isDurable: boolean): () => void;
}

/** The memory of a process that remembers nothing. */
export const forgetful: PendingRequests = {
  isPending: () => false,
  sentElsewhere: () => undefined,
  prepare: () => () => undefined,
  begin: () => () => undefined,
};

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
