/**
 * One safe `up` of one organization: skips where nothing can have changed, survives its own death, and tidies up after the death
 * of an earlier run.
 *
 * @module pulumi-voiceplane/apply
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { messageOf } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import { withBackend } from "../engine/cli.js";
import { recordBase } from "../engine/lost-state.js";
import type { CloudStack } from "../engine/cloud.js";
import { digestOf } from "../engine/files.js";
import { applyFolder, runFolder } from "./files.js";
import { Commands } from "./commands.js";
import { takeHostLock, type HostLock } from "./host-lock.js";
import { Journals } from "./journal.js";
import { StackLocks } from "./locks.js";
import { processesHere, type Processes } from "../engine/processes.js";
import { failOnOf, failOnWords } from "../report/risks.js";
import { readProject, secretsIn, type ProjectResult, type StackProject } from "../engine/project.js";
import type { RunEnd } from "./after-run.js";
import type { ApplyOptions } from "./options.js";
import { parseRecord, recordFile, recordText, RunningRecord, type RecordStore, type StackName } from "./record.js";
import { exitCodeFor, nothingDone, type ApplyResult, type Ending } from "./result.js";
import { failedBy, runStack, type StackRun } from "./run.js";
import { reasonByChange, reasonToRun, variablesOf } from "./skip.js";
import { stackNameOf } from "./stack-name.js";
import { withTelemetry } from "./telemetry.js";

export { recordFile, type RecordStore };
export { risks, type Risk } from "../report/risks.js";
export { refusalOf } from "./refusal.js";
export type { ApplyOptions, PlannedChange } from "./options.js";
export type { RotatedAgain, RotatedEarlier } from "./rotations.js";
export type { ApplyResult, Outcome } from "./result.js";
export { flushTelemetry } from "./telemetry.js";

/**
 * Never rejects because of bad input or a failed run: both are results.
 *
 * @param options the stack and how to run it
 */
export async function apply(options: ApplyOptions): Promise<ApplyResult> {
  const startedAt = performance.now();
  const { stack } = options;
  const folder = resolve(options.folder);
  const { env, why } = await withBackend(options.env ?? process.env, folder);
  const found = projectIn(folder, stack, env, why);
  const project = "project" in found ? found.project : undefined;
  const secrets = secretsIn(folder, env);
  const organization = project?.organization ?? stack.replace(/.*\//, "");
  const resultOf = (ending: Ending): ApplyResult => {
    const result = { ...nothingDone, ...ending };
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    return { organization, stack, ...result, seconds, exitCode: exitCodeFor(result.outcome, result.risks) };
  };
  let last: Ending | undefined;
  /** Rejects if the result cannot be written. */
  const written = async (ending: Ending): Promise<ApplyResult> => {
    last = ending;
    const result = resultOf(ending);
    await options.onResult?.(result);
    return result;
  };
  return withTelemetry({ organization, stack, env }, async (traced) => {
    const ended = project
      ? applied(project, { ...options, folder, env: traced, secrets }, written)
      : written({ outcome: "failed", reason: "problems" in found ? found.problems.join("; ") : "", uncertain: null });
    return ended.catch((error: unknown) => {
      const failed = failedBy(error, secrets);
      const reason = `the result could not be written (${failed.reason}), so the next run reports it again`;
      options.onProgress?.(reason);
      return resultOf({ ...failed, ...last, outcome: "failed", reason });
    });
  });
}

/** A file or folder that cannot be read is wrong input too. */
function projectIn(folder: string, stack: string, env: Environment, why: string | undefined): ProjectResult {
  try {
    return readProject(folder, stack, env, why);
  } catch (error) {
    return { problems: [messageOf(error)] };
  }
}

interface AppliedOptions extends ApplyOptions {
  readonly env: Environment;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
}

type Written = (ending: Ending) => Promise<ApplyResult>;

async function applied(project: StackProject, options: AppliedOptions, written: Written): Promise<ApplyResult> {
  const processes = options.processes ?? processesHere();
  const { of, cloud } = await stackNameOf(project, project.backendUrl, project.stack, options.env);
  const place = await placeHere(of, options.privateFolder, processes).catch((error: unknown) =>
    failedBy(error, options.secrets),
  );
  if ("outcome" in place) return written(place);
  const { base, own, hostLock } = place;
  if ("heldBy" in hostLock) {
    const unproven = processes.space === "" ? `; if that process is no apply, remove ${own}.lock` : "";
    const reason = `another apply on this machine is running the stack (pid ${hostLock.heldBy})${unproven}`;
    return written({ outcome: "locked", reason, uncertain: null });
  }
  const store = options.record ?? recordFile(`${recordBase(project, of.stack)}.json`);
  try {
    const run = await decided(project, options, { processes, hostLock, cloud, base, own, of, store }).catch(
      (error: unknown): EndedRun => ({ ending: failedBy(error, options.secrets) }),
    );
    const text = run.record && recordText(run.record);
    if (text !== undefined) await store.finish?.(text);
    // In this order: if this process dies after the first, the next run reports the same again.
    const result = await written(run.ending);
    const problem = text === undefined || store.finish ? undefined : await problemOf(() => store.write(text));
    if (problem === undefined) {
      run.forget?.();
      return result;
    }
    const unwritten = `the record could not be written (${problem}), so the next run reports this one again`;
    options.onProgress?.(unwritten);
    return { ...result, reason: `${result.reason}; ${unwritten}` };
  } finally {
    hostLock.release();
  }
}

/** The files of this machine's applies of the stack, and the lock on them. */
async function placeHere(of: StackName, folder: string | undefined, processes: Processes) {
  const base = folder ?? applyFolder();
  const key = JSON.stringify(Object.values(of));
  const own = join(base, createHash("sha256").update(key).digest("hex").slice(0, 32));
  return { base, own, hostLock: await takeHostLock(`${own}.lock`, processes) };
}

async function problemOf(action: () => Promise<void>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A stack whose lock this process has. */
interface Held {
  readonly processes: Processes;
  readonly hostLock: HostLock;
  /** Undefined for other backends than Pulumi Cloud. */
  readonly cloud: CloudStack | undefined;
  /** The private folder of all applies. */
  readonly base: string;
  /** The names of this stack's files in it begin with that. */
  readonly own: string;
  readonly of: StackName;
  readonly store: RecordStore;
}

interface EndedRun extends Pick<RunEnd, "ending" | "record"> {
  /** After the ending was written: removes what it has named. */
  readonly forget?: () => void;
}

/** Under the lock: whether the stack can be skipped, and its run if it cannot. */
async function decided(project: StackProject, options: AppliedOptions, held: Held): Promise<EndedRun> {
  const { own, of, store, cloud } = held;
  const { now = () => new Date(), onProgress = () => undefined, fullPassAfterDays = 7, env, revision } = options;
  const failOn = failOnOf(options.failOn ?? []);
  if (failOn === undefined) throw new Error(`failOn takes ${failOnWords}`);
  const stateVersion = async () => {
    try {
      return await (options.stateVersion ?? (() => project.backend?.stateVersion() ?? cloud?.stateVersion()))();
    } catch {
      return undefined;
    }
  };
  const variables = variablesOf(env, of.backend, options);
  const declarations = digestOf(project.files);
  const version = await stateVersion();
  // After that: on another machine, a run may have begun and died since.
  const last = parseRecord(await store.read(), of);
  // The journals are beside the record, where that is a file.
  const journals = new Journals(resolve(`${store.path?.replace(/\.json$/, "") ?? own}.journal`), of);
  const facts = {
    ...{ record: last, revision, variables, fullPassAfterDays, stateVersion: version, now: now() },
    hasJournals: journals.hasEarlier,
    importsEnvironments: project.importsEnvironments,
  };
  const due = reasonToRun(facts);
  if (due === undefined && options.skip !== false) {
    const since = new Date(last?.at ?? 0).toISOString();
    const reason = `nothing changed since ${since}`;
    return { ending: { outcome: "skipped", reason, nextDueDate: last?.nextDueDate ?? null } };
  }
  if (options.signal?.aborted === true) {
    return { ending: { outcome: "failed", reason: "interrupted before the run", uncertain: null } };
  }
  const reason = due ?? "a run was requested";
  onProgress(`${options.dryRun === true ? "would run" : "runs"} ${project.stack}: ${reason}`);
  // The revision is what the caller says. A file may have changed since.
  const isEdited = reasonByChange(facts) !== undefined || last?.declarations !== declarations;
  const files = runFolder(held.base);
  const run = { host: held.processes.host, folder: basename(files) };
  const record = new RunningRecord({ last, store, of, revision, variables, declarations, run, now });
  return ran(project, options, held, {
    ...{ reason, record, journals, files, stateVersion, now, onProgress },
    failOn: failOn.changes || failOn.edits || failOn.risks.size > 0 ? failOn : undefined,
    onPreview: isEdited ? options.onPreview : undefined,
  });
}

type Plan = Omit<StackRun, "project" | "commands" | "locks" | "secrets" | "mayHavePolicies"> &
  Readonly<{ now: () => Date }>;

async function ran(project: StackProject, options: AppliedOptions, held: Held, plan: Plan): Promise<EndedRun> {
  const { env, secrets, policyPacks = [], wait = setTimeout } = options;
  const { cloud } = held;
  const { files, journals, record } = plan;
  const mayHavePolicies =
    policyPacks.length > 0 ||
    Boolean(env.PULUMI_OPTION_POLICY_PACK) ||
    (cloud !== undefined && (await cloud.mayHavePolicies()));
  const commands = new Commands({
    ...options,
    project,
    isCloud: cloud !== undefined,
    files,
    record: record.last,
    wait,
  });
  const locks = new StackLocks({ ...options, ...held, ...plan, project, started: record.started });
  let isLogKept = false;
  try {
    const { reported = [], ...end } = await runStack({
      ...{ ...options, ...plan, project, commands, locks, secrets, mayHavePolicies },
    });
    isLogKept = typeof end.ending.log === "string";
    const { VOICEPLANE_REQUEST_LOG: log } = env;
    return {
      ...end,
      forget: () => {
        journals.remove(reported, log ? resolve(project.folder, log) : undefined);
      },
    };
  } finally {
    journals.dropIfEmpty();
    if (isLogKept) journals.copyTo(join(files, "requests"));
    else rmSync(files, { recursive: true, force: true });
  }
}
