/** The options of an apply. */
import type { Environment } from "../../values/environment.js";
import type { Processes } from "../engine/processes.js";
import type { Change } from "../report/changes.js";
import type { RecordStore } from "./record.js";
import type { ApplyResult } from "./result.js";

/** What an update would do to one object. */
export interface PlannedChange extends Pick<Change, "name" | "text" | "risks"> {
  /** False if a date or a lost answer makes it send again what was declared before. */
  readonly edited: boolean;
}

/** What to run, and how. */
export interface ApplyOptions {
  /** The folder of Pulumi.yaml. */
  readonly folder: string;
  /** The stack's name. */
  readonly stack: string;
  /** The environment of the CLI, the program and the provider. Default: this process's. */
  readonly env?: Environment;
  /** Keeps what the last run left. Default: the file `.voiceplane/apply/<stack>.json` in the folder. */
  readonly record?: RecordStore;
  /**
   * A text that changes with each change of the stack's state, such as the hash of its checkpoint; undefined if it is not known.
   * Built in for `file://` backends and Pulumi Cloud. Others have none by default, and are not skipped.
   */
  readonly stateVersion?: () => Promise<string | undefined>;
  /**
   * What the run reads, in your words: a commit, or an image's digest. A stack is skipped only if it is the same as in the last run that
   * ended well. Default: none, and the stack is always run.
   */
  readonly revision?: string;
  /** Whether the stack may be skipped. Default: true. */
  readonly skip?: boolean;
  /**
   * Previews first, and sends nothing if the preview shows one of these: the words of `--fail-on`, such as "deletes data" or
   * "edits". Also if the preview fails, or the files or the state change meanwhile. Default: none.
   */
  readonly failOn?: readonly string[];
  /**
   * Gets what the preview shows, before anything is sent, and returns why nothing may be sent; undefined to go on. What was shown is what
   * is sent: if the files or the state change meanwhile, nothing is. Not called, and without a preview of its own, if only a date makes
   * the stack run. Default: no preview.
   *
   * @param changes what an update would do, object by object
   */
  readonly onPreview?: (changes: readonly PlannedChange[]) => Promise<string | undefined>;
  /** Only shows whether the stack would be run and what that would change. Default: false. */
  readonly dryRun?: boolean;
  /** The form of the result's `report`. Default: "terminal". */
  readonly reportFormat?: "terminal" | "markdown";
  /** Runs the stack at least once in so many days. Default: 7. */
  readonly fullPassAfterDays?: number;
  /** Takes a lock that is older than this for stale, ms. Default: only the lock of a dead run that the record names. */
  readonly cancelLocksAfterMs?: number;
  /** Folders of policy packs. */
  readonly policyPacks?: readonly string[];
  /** Their configuration files, in the same order. */
  readonly policyPackConfigs?: readonly string[];
  /** Aborting sends one SIGINT to the CLI, which then ends the calls under way. */
  readonly signal?: AbortSignal;
  /** Aborting sends another SIGINT, which stops the CLI at once. */
  readonly forceSignal?: AbortSignal;
  /**
   * Writes the result, while this run still has the stack to itself. What the result names is forgotten only after that, so if it fails,
   * the next run reports the same again. Default: the result counts as written.
   *
   * @param result what the run came to
   */
  readonly onResult?: (result: ApplyResult) => Promise<void>;
  /**
   * Gets each step, for people.
   *
   * @param line of text
   */
  readonly onProgress?: (line: string) => void;
  /** The clock, also for the age of locks, which have the machine's time. Default: the machine's clock. */
  readonly now?: () => Date;
  /**
   * Waits between two tries to read the state. Default: a timer.
   *
   * @param ms how long
   */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Default: the processes of this machine. @internal */
  readonly processes?: Processes;
  /** The folder for locks and output, for this user alone. Default: one in the system's temporary folder. */
  readonly privateFolder?: string;
}
