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
import { privateFolder, runFolder } from "./files.js";
import { takeHostLock } from "./host-lock.js";
import { readInputs, type Inputs } from "./inputs.js";
import { processesHere, type Processes } from "./processes.js";
import { readProject, type ProjectResult, type StackProject } from "../engine/project.js";
import { parseRecord, recordFile, type RecordStore, type RunRecord } from "./record.js";
import { exitCodeFor, nothingDone, type ApplyResult, type Ending } from "./result.js";
import { failedBy, runStack } from "./run.js";
import { reasonToRun } from "./skip.js";
import { withTelemetry } from "./telemetry.js";

export { recordFile, type RecordStore };
export type { RotatedAgain, RotatedEarlier } from "./earlier-runs.js";
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
  /** Runs the stack at least once in so many days. Default: 7. */
  readonly fullPassAfterDays?: number;
  /** Takes a lock that is older than this for stale, ms. Default: only a lock of a process of this machine that is gone. */
  readonly cancelLocksAfterMs?: number;
  /** Files and folders that a program of your own reads, from the folder; with them such a stack can be skipped. */
  readonly inputs?: readonly string[];
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

const defaultFullPassDays = 7;

/** Never rejects for what a run can end in: bad input and a failed run are results too. */
export async function apply(options: ApplyOptions): Promise<ApplyResult> {
  const startedAt = performance.now();
  const { stack, env = process.env } = options;
  const folder = resolve(options.folder);
  const found = projectIn(folder, stack, env);
  const project = "project" in found ? found.project : undefined;
  const secrets = secretsOf(env, project?.backendUrl);
  const organization = project?.organization ?? stack.replace(/.*\//, "");
  return withTelemetry({ organization, stack, env }, async (traced) => {
    const ending =
      "project" in found
        ? await applied(found.project, { ...options, folder, env: traced, secrets }).catch(failedBy(secrets))
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

/** What a run goes by, or why there is none. */
type Decision = Ending | { readonly inputs: Inputs; readonly record: RunRecord | undefined; readonly reason: string };

async function applied(project: StackProject, options: AppliedOptions): Promise<Ending> {
  const {
    env,
    secrets,
    now = () => new Date(),
    fullPassAfterDays = defaultFullPassDays,
    onProgress = () => undefined,
  } = options;
  const recordPath = join(project.folder, ".voiceplane/apply", `${project.key}.json`);
  const store = options.record ?? recordFile(recordPath);
  const stateVersion = async () => {
    try {
      return await (options.stateVersion ?? (() => project.backend?.stateVersion()))();
    } catch {
      return undefined;
    }
  };
  const readAll = (): Inputs =>
    readInputs({
      project,
      env,
      declared: options.inputs,
      policyPacks: options.policyPacks ?? [],
      policyPackConfigs: options.policyPackConfigs ?? [],
      ignored: [store.path ?? recordPath],
    });

  const decide = async (): Promise<Decision> => {
    const inputs = readAll();
    const record = parseRecord(await store.read());
    const facts = { inputs, record, stateVersion: record && (await stateVersion()), now: now(), fullPassAfterDays };
    const due = reasonToRun(facts);
    if (due !== undefined || options.skip === false) return { inputs, record, reason: due ?? "a run was asked for" };
    const since = new Date(record?.at ?? 0).toISOString();
    return { outcome: "skipped", reason: `nothing changed since ${since}`, nextDueDate: record?.nextDueDate ?? null };
  };
  const first = await decide();
  if ("outcome" in first) return first;

  const processes = options.processes ?? processesHere();
  const base = options.privateFolder ?? privateFolder();
  const key = JSON.stringify([withoutPassword(project.backendUrl), project.name, project.key]);
  const lockFile = join(base, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.lock`);
  const hostLock = await takeHostLock(lockFile, processes);
  if ("heldBy" in hostLock) {
    return {
      outcome: "locked",
      reason: `another apply of this machine runs the stack (pid ${hostLock.heldBy})`,
      uncertain: null,
    };
  }
  try {
    // Another run may have begun and died, or ended, since.
    const decision = await decide();
    if ("outcome" in decision) return decision;
    if (options.signal?.aborted === true)
      return { outcome: "failed", reason: "interrupted before the run", uncertain: null };
    const { inputs, record, reason } = decision;
    onProgress(`runs ${project.stack}: ${reason}`);
    const { policyPacks = [], policyPackConfigs = [], signal, forceSignal, cancelLocksAfterMs } = options;
    return await runStack({
      ...{
        project,
        env,
        secrets,
        processes,
        hostLock,
        store,
        record,
        inputs,
        readAll,
        stateVersion,
        reason,
        now,
        onProgress,
      },
      ...{ policyPacks, policyPackConfigs, signal, forceSignal, cancelLocksAfterMs },
      files: runFolder(base),
      // Pulumi Cloud may have packs of its own.
      mayHavePolicies:
        policyPacks.length > 0 || Boolean(env.PULUMI_OPTION_POLICY_PACK) || /^https?:/.test(project.backendUrl),
    });
  } finally {
    hostLock.release();
  }
}
