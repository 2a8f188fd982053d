/** What a run came to. */
import { exitCodeOf, failOnChanges, type Risk } from "../report/risks.js";
import type { RotatedAgain, RotatedEarlier } from "./rotations.js";

/** How a run ended. */
export type Outcome =
  /** Nothing can have changed: no process was started and nothing was sent. */
  | "skipped"
  /** The run ended well and changed nothing. */
  | "unchanged"
  /** The run ended well and changed something. */
  | "applied"
  /** A dry run: an update would change something. */
  | "previewed"
  | "failed"
  /** Another run holds the stack. Try again later. */
  | "locked";

/** The CLI prints it as one line of JSON. Members may be added. */
export interface ApplyResult {
  /** The organization's name: `voiceplane:account` of the configuration, otherwise the stack's name. */
  readonly organization: string;
  /** The stack's name. */
  readonly stack: string;
  /** How the run ended. */
  readonly outcome: Outcome;
  /** One line: why it was run or skipped, failed, or is locked. */
  readonly reason: string;
  /** Whether another try would fail in the same way: the organization file, the settings or the token are not right. */
  readonly needsPerson: boolean;
  /** What changed, in at most 140 characters, as `voiceplane report --format summary`. With `report`, what would change. */
  readonly summary: string;
  /** The risks of the changes, the worst first. */
  readonly risks: readonly Risk[];
  /** Requests that left for the server, repeated ones included. */
  readonly requests: number;
  /** Rotations that the server confirmed. */
  readonly rotations: number;
  /** Objects whose state on the server is unknown, because a request may have been carried out, or a line of a journal cannot be read; null if even that is not known. */
  readonly uncertain: number | null;
  /** The names of these objects. */
  readonly uncertainObjects: readonly string[];
  /** YYYY-MM-DD in UTC; null if nothing is scheduled or it is not known. */
  readonly nextDueDate: string | null;
  /** Rotations beyond those declared, one for each that was lost and may have been carried out. */
  readonly rotatedAgain: readonly RotatedAgain[];
  /** Rotations by earlier runs that ended before they could report them: their apply died, or their result was not written. They do not count in `rotations`. */
  readonly rotatedEarlier: readonly RotatedEarlier[];
  /** Parts of journals that cannot be read, such as "2 lines of the journal FILE cannot be read". They may be about requests that were sent. */
  readonly unreadable: readonly string[];
  /** Outputs of the stack that had a secret which was rotated since, as an update ended before it registered them. Read them again. */
  readonly staleOutputs: readonly string[];
  /** Pending operations of the state that are left for a person. */
  readonly pending: readonly string[];
  /** Stale locks that were removed, as "root@worker-1 (pid 42) since …: why". */
  readonly staleLocks: readonly string[];
  /** The output of a failed run, without secrets; null after others. */
  readonly log: string | null;
  /** What the preview shows, as `voiceplane report` in the `reportFormat`: of a dry run, and of a run that `failOn` refused. */
  readonly report?: string;
  /** How long it took. */
  readonly seconds: number;
  /** As `voiceplane report`: 0 no changes, 1 failed, 2 changes, 3 changes with a risk; and 4 locked. */
  readonly exitCode: number;
}

export function exitCodeFor(outcome: Outcome, risks: readonly Risk[]): number {
  if (outcome === "locked") return 4;
  const changeCount = outcome === "applied" || outcome === "previewed" ? 1 : 0;
  const facts = { complete: outcome !== "failed", changeCount, editCount: changeCount, unseenCount: 0, risks };
  return exitCodeOf(facts, failOnChanges);
}

/** A part of a result; the rest is {@link nothingDone}. */
export type Ending = Pick<ApplyResult, "outcome" | "reason"> & Partial<ApplyResult>;

/** The values for a run that sent nothing, in the order in which a result has them. */
export const nothingDone = {
  outcome: "failed",
  reason: "",
  needsPerson: false,
  summary: "",
  risks: [],
  requests: 0,
  rotations: 0,
  uncertain: 0,
  uncertainObjects: [],
  nextDueDate: null,
  rotatedAgain: [],
  rotatedEarlier: [],
  unreadable: [],
  staleOutputs: [],
  pending: [],
  staleLocks: [],
  log: null,
} satisfies Ending;
