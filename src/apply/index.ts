/**
 * One safe `up` of one organization: skips where nothing can have changed, survives its own death, and tidies up after the death
 * of an earlier run.
 *
 * @module pulumi-voiceplane/apply
 */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { type Environment, messageOf } from "../values.js";
import { secretsOf } from "../client/secrets.js";
import { withoutPassword } from "../engine/backend.js";
import type { RunFacts } from "./commands.js";
import { privateFolder, runFolder } from "./files.js";
import { takeHostLock } from "./host-lock.js";
import { readInputs, reasonToRun } from "./inputs.js";
import { processesHere, type Processes } from "../engine/processes.js";
import { failOnOf, failOnWords } from "../report/risks.js";
import { readProject, type ProjectResult, type StackProject } from "../engine/project.js";
import { parseRecord, recordFile, type RecordStore } from "./record.js";
import { exitCodeFor, nothingDone, type ApplyResult, type Ending } from "./result.js";
import { failedBy, runStack } from "./run.js";
import { withTelemetry } from "./telemetry.js";

export { recordFile, type RecordStore };
export type { RotatedAgain, RotatedEarlier } from "./rotations.js";
export type { ApplyResult, Outcome } from "./result.js";
export { flushTelemetry } from "./telemetry.js";

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
   * Built in for `file://` backends. Others have none by default, and are not skipped.
   */
  readonly stateVersion?: () => Promise<string | undefined>;
  /** Default: true. */
  readonly skip?: boolean;
  /**
   * Previews first, and sends nothing if the preview shows one of these: the words of `--fail-on`, such as "deletes data" or
   * "edits". Also if the preview fails, or the files or the state change meanwhile. Default: none.
   */
  readonly failOn?: readonly string[];
  /** Only shows whether the stack would be run and what that would change. Default: false. */
  readonly dryRun?: boolean;
  /** The form of the result's `report`. Default: "terminal". */
  readonly reportFormat?: "terminal" | "markdown";
  /** Runs the stack at least once in so many days. Default: 7. */
  readonly fullPassAfterDays?: number;
  /** Takes a lock that is older than this for stale, ms. Default: only a lock of a process of this machine that is gone. */
  readonly cancelLocksAfterMs?: number;
  /** Files and folders that a program of your own reads, from the folder; with them such a stack can be skipped. */
  readonly inputs?: readonly string[];
  /**
   * Has the engine save the state once, at the end: for large stacks, where this run rotates nothing. A run that rotates is refused.
   * If the run dies, the next one sends every setting again.
   */
  readonly skipCheckpoints?: boolean;
  /** Folders of policy packs. */
  readonly policyPacks?: readonly string[];
  /** Their configuration files, in the same order. */
  readonly policyPackConfigs?: readonly string[];
  /** Aborting sends one SIGINT to the CLI, which then ends the calls under way. */
  readonly signal?: AbortSignal;
  /** Aborting sends another SIGINT, which stops the CLI at once. */
  readonly forceSignal?: AbortSignal;
  /** Gets each step as one line, for people. */
  readonly onProgress?: (line: string) => void;
  /** The clock, also for the age of locks, which have the machine's time. Default: the machine's clock. */
  readonly now?: () => Date;
  /** Default: the processes of this machine. */
  readonly processes?: Processes;
  /** The folder for locks and output, for this user alone. Default: one in the system's temporary folder. */
  readonly privateFolder?: string;
}

/** Never rejects for what a run can end in: bad input and a failed run are results too. */
export async function apply(options: ApplyOptions): Promise<ApplyResult> {
  const startedAt = performance.now();
  const { stack, env = process.env } = options;
  const folder = resolve(options.folder);
  const found = projectIn(folder, stack, env);
  const project = "project" in found ? found.project : undefined;
  const secrets = secretsOf(env, project?.backendUrl);
  const failed = (error: unknown) => failedBy(error, secrets);
  const organization = project?.organization ?? stack.replace(/.*\//, "");
  return withTelemetry({ organization, stack, env }, async (traced) => {
    const ending =
      "project" in found
        ? await applied(found.project, { ...options, folder, env: traced, secrets }).catch(failed)
        : { outcome: "failed" as const, reason: found.problems.join("; "), uncertain: null };
    const result = { ...nothingDone, ...ending };
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    return { organization, stack, ...result, seconds, exitCode: exitCodeFor(result.outcome, result.risks) };
  });
}

/** A file or folder that cannot be read is wrong input too. */
function projectIn(folder: string, stack: string, env: Environment): ProjectResult {
  try {
    return readProject(folder, stack, env);
  } catch (error) {
    return { problems: [messageOf(error)] };
  }
}

interface AppliedOptions extends ApplyOptions {
  readonly env: Environment;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
}

async function applied(project: StackProject, options: AppliedOptions): Promise<Ending> {
  const processes = options.processes ?? processesHere();
  const base = options.privateFolder ?? privateFolder();
  const key = JSON.stringify([withoutPassword(project.backendUrl), project.name, project.key]);
  const own = join(base, createHash("sha256").update(key).digest("hex").slice(0, 32));
  const hostLock = await takeHostLock(`${own}.lock`, processes);
  if ("heldBy" in hostLock) {
    const reason = `another apply on this machine is running the stack (pid ${hostLock.heldBy})`;
    return { outcome: "locked", reason, uncertain: null };
  }
  try {
    return await decided(project, options, { processes, hostLock, base, own });
  } finally {
    hostLock.release();
  }
}

/** `base` is the private folder of all applies, where the names of this stack's files begin with `own`. */
type Held = Pick<RunFacts, "processes" | "hostLock"> & Readonly<{ base: string; own: string }>;

/** Under the lock: whether the stack can be skipped, and its run if it cannot. */
async function decided(project: StackProject, options: AppliedOptions, { base, own, ...held }: Held): Promise<Ending> {
  const { now = () => new Date(), onProgress = () => undefined, policyPacks = [], policyPackConfigs = [] } = options;
  const failOn = failOnOf(options.failOn ?? []);
  if (failOn === undefined) throw new Error(`failOn takes ${failOnWords}`);
  const recordPath = join(project.folder, ".voiceplane/apply", `${project.key}.json`);
  const store = options.record ?? recordFile(recordPath);
  // The journals are beside the record, where that is a file.
  const journalFolder = resolve(`${store.path?.replace(/\.json$/, "") ?? own}.journal`);
  const stateVersion = async () => {
    try {
      return await (options.stateVersion ?? (() => project.backend?.stateVersion()))();
    } catch {
      return undefined;
    }
  };
  const ignored = [store.path ?? recordPath, journalFolder];
  const { env, inputs: declared } = options;
  const readAll = () => readInputs({ project, env, declared, policyPacks, policyPackConfigs, ignored });

  const inputs = readAll();
  const version = await stateVersion();
  // Last: on another machine, a run may have begun and died since.
  const record = parseRecord(await store.read());
  const { fullPassAfterDays = 7 } = options;
  const due = reasonToRun({ inputs, record, stateVersion: version, now: now(), fullPassAfterDays });
  if (due === undefined && options.skip !== false) {
    const since = new Date(record?.at ?? 0).toISOString();
    return { outcome: "skipped", reason: `nothing changed since ${since}`, nextDueDate: record?.nextDueDate ?? null };
  }
  if (options.signal?.aborted === true)
    return { outcome: "failed", reason: "interrupted before the run", uncertain: null };
  const reason = due ?? "a run was requested";
  onProgress(`${options.dryRun === true ? "would run" : "runs"} ${project.stack}: ${reason}`);
  return runStack({
    ...options,
    ...held,
    ...{ project, store, record, inputs, readAll, stateVersion, reason, now, onProgress, journalFolder },
    failOn: failOn.changes || failOn.edits || failOn.risks.size > 0 ? failOn : undefined,
    files: runFolder(base),
    // Pulumi Cloud may have packs of its own.
    mayHavePolicies:
      policyPacks.length > 0 || Boolean(env.PULUMI_OPTION_POLICY_PACK) || /^https?:/.test(project.backendUrl),
  });
}
