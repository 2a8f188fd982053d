/** One run of the CLI for one stack, with what has to be done before and after it. */
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Environment, messageOf, urnParts } from "../values.js";
import { cleanText } from "../client/redact.js";
import { describe, type Report } from "../report/describe.js";
import { saysWhatToCorrect } from "../report/errors.js";
import { PreviewError, readPreview } from "../engine/preview.js";
import { nextDueDate, readStackState, type StackState } from "../engine/state.js";
import { reasonToRunAgain } from "../engine/conditions.js";
import { pendingIn, resolvedCreates, rotatedAgain, rotatedEarlier } from "./earlier-runs.js";
import { failureOf, keepLog } from "./failure.js";
import { removeRunFolder } from "./files.js";
import type { HostLock } from "./host-lock.js";
import type { Inputs } from "./inputs.js";
import { holderOf, locksIn, staleness, type LockFacts } from "./locks.js";
import { idOf, type Processes } from "./processes.js";
import type { StackLock } from "../engine/backend.js";
import type { StackProject } from "../engine/project.js";
import { runPulumi, type Finished } from "../engine/cli.js";
import type { RecordStore, RunRecord } from "./record.js";
import { appendRequests, countRequests, refusedForGood, rotationsSent } from "./requests.js";
import type { Ending } from "./result.js";
import { RunningRecord } from "./running-record.js";
import { changedInputs } from "./skip.js";

export interface RunFacts {
  readonly project: StackProject;
  readonly env: Environment;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
  readonly processes: Processes;
  readonly hostLock: HostLock;
  /** What the last run left. */
  readonly record: RunRecord | undefined;
  readonly store: RecordStore;
  /** As they were before the run. */
  readonly inputs: Inputs;
  readonly readAll: () => Inputs;
  readonly stateVersion: () => Promise<string | undefined>;
  readonly reason: string;
  readonly now: () => Date;
  readonly onProgress: (line: string) => void;
  readonly policyPacks: readonly string[];
  readonly policyPackConfigs: readonly string[];
  readonly mayHavePolicies: boolean;
  readonly signal: AbortSignal | undefined;
  readonly forceSignal: AbortSignal | undefined;
  readonly cancelLocksAfterMs: number | undefined;
  /** A new private folder. */
  readonly files: string;
}

export const failedBy =
  (secrets: readonly string[]) =>
  (error: unknown): Ending => ({
    outcome: "failed",
    reason: cleanText(messageOf(error), secrets) ?? "an error without a message",
    uncertain: null,
  });

/** Whatever goes wrong once the CLI was started, the result has what was sent, and the record says that the run failed. */
export async function runStack(facts: RunFacts): Promise<Ending> {
  const run = new Run(facts);
  let ending: Ending | undefined;
  try {
    ending = await run.all().catch((error: unknown) => run.broken(error));
    return { ...ending, ...countRequests(requestsOf(facts.files)), staleLocks: run.staleLocks };
  } finally {
    const { VOICEPLANE_REQUEST_LOG: file } = facts.env;
    if (file) appendRequests(requestsOf(facts.files), resolve(facts.project.folder, file));
    if (typeof ending?.log !== "string") rmSync(facts.files, { recursive: true, force: true });
  }
}

/** Absent where the sources run. */
const preload = join(__dirname, "../provider/dynamic/preload.js");

const requestsOf = (files: string): string => join(files, "requests");

interface Cleared {
  readonly after: StackState;
  /** Undefined if another run may have changed the state in between. */
  readonly version: string | undefined;
}

interface Update {
  readonly finished: Finished;
  /** Undefined if the run ended before its first event. */
  readonly report: Report | undefined;
  /** Undefined if it did not end for a lock. */
  readonly locks: readonly StackLock[] | undefined;
}

interface CommandOptions {
  readonly isInterruptible: boolean;
  readonly onStart?: (pid: number) => Promise<void>;
}

class Run {
  readonly staleLocks: string[] = [];
  readonly #facts: RunFacts;
  readonly #record: RunningRecord;
  /** The state before the run, where it was asked for. */
  #before: StackState | undefined;
  /** As the engine read the configuration. */
  #organizationFile: string | undefined;

  constructor(facts: RunFacts) {
    this.#facts = facts;
    const { record, store, now, files } = facts;
    this.#record = new RunningRecord({ record, store, host: facts.processes.host, folder: basename(files), now });
  }

  /** The end of a run in which something else than the CLI went wrong. The result tells what was sent. */
  async broken(error: unknown): Promise<Ending> {
    await this.#written(() => this.#record.fail({ isReported: true }));
    // A run that did not begin leaves it to the next one.
    return { ...failedBy(this.#facts.secrets)(error), ...(this.#record.hasBegun && this.#earlier()) };
  }

  async all(): Promise<Ending> {
    const { record, processes, files, stateVersion } = this.#facts;
    const holder = this.#removeStaleFiles();
    if (holder !== undefined) return lockedBy(holder);

    // Only a record of a run that ended well says that nothing is pending.
    const version = record && !record.run && record.open === null ? await stateVersion() : undefined;
    if (version === undefined || version !== record?.stateVersion) this.#before = await this.#exported(true);
    if (record?.run?.host === processes.host) removeRunFolder(dirname(files), record.run.folder);

    let update = await this.#up();
    if (update.locks && (await this.#cancel(update.locks))) update = await this.#up();
    if (update.locks) {
      await this.#record.restore();
      return lockedBy(update.locks[0]);
    }
    const { finished, report } = update;
    const isDone = finished.code === 0 && report?.kind === "update" && report.complete;
    return isDone ? this.#ended(report) : this.#failed(update);
  }

  async #ended(report: Report): Promise<Ending> {
    const { inputs, stateVersion, reason } = this.#facts;
    const changed = this.#changedInputs();
    const version = await stateVersion();
    const exported = await this.#exported();
    // Another one's change in between may not be in the export.
    const isSame = (await stateVersion()) === version;
    const { after, version: left } = await this.#clearResolvedCreates(exported, isSame ? version : undefined);
    const open = reasonToRunAgain(after) ?? this.#otherFile() ?? changed ?? null;
    const due = nextDueDate(after) ?? null;
    const ending = { inputs: inputs.digests, stateVersion: left, open, nextDueDate: due };
    const kept = await this.#written(() => this.#record.end(ending));
    return {
      outcome: report.changeCount > 0 ? "applied" : "unchanged",
      reason: reason + kept,
      summary: report.summary,
      risks: report.risks,
      ...this.#afterRun(after),
    };
  }

  async #clearResolvedCreates(after: StackState, version: string | undefined): Promise<Cleared> {
    const { stateVersion, onProgress } = this.#facts;
    const resolved = resolvedCreates(after);
    const root = after.resources.find(({ urn }) => urnParts(urn).type === "pulumi:pulumi:Stack");
    if (resolved.length === 0 || root === undefined) return { after, version };
    onProgress(`clears pending creates whose resource exists: ${resolved.map((urn) => urnParts(urn).name).join(", ")}`);
    // The flag clears them all, whatever the target. A refresh of the stack itself reads nothing, so it drops no object that
    // the server does not list.
    await this.#change(["refresh", "--yes", "--skip-preview", "--clear-pending-creates", "--target", root.urn]);
    const cleared = await stateVersion();
    const left = await this.#exported();
    const isSame = version !== undefined && (await stateVersion()) === cleared;
    return { after: left, version: isSame ? cleared : undefined };
  }

  async #failed({ finished, report }: Update): Promise<Ending> {
    const after = await this.#exported().catch(() => undefined);
    // One that ended well, without all its events: there was no room, so lines of its requests may be missing too.
    const kept = await this.#written(() => this.#record.fail({ isReported: finished.code !== 0 }));
    return {
      outcome: "failed",
      reason: this.#failure(finished, report?.errors) + kept,
      needsPerson: saysWhatToCorrect(report?.errors ?? []) || refusedForGood(this.#requests),
      // A preview shows what was not done.
      ...(report?.kind === "update" && { summary: report.summary, risks: report.risks }),
      ...(after ? this.#afterRun(after) : { ...this.#earlier(), uncertain: null }),
      log: keepLog(finished, this.#facts),
    };
  }

  async #up(): Promise<Update> {
    const { policyPacks, policyPackConfigs, mayHavePolicies } = this.#facts;
    const args = [
      ...["up", "--yes", "--json"],
      // Also against the CLI's own variable. Without a preview, resources that comply may be sent before the one that violates a policy.
      `--skip-preview=${String(!mayHavePolicies)}`,
      ...policyPacks.flatMap((pack) => ["--policy-pack", pack]),
      ...policyPackConfigs.flatMap((config) => ["--policy-pack-config", config]),
    ];
    const finished = await this.#change(args);
    const report = await this.#report(finished);
    // An update that has begun had the lock: a message about one is of the program's own.
    const isUpdate = finished.code === 0 || report?.kind === "update";
    return { finished, report, locks: isUpdate ? undefined : locksIn(finished.stderr) };
  }

  #earlier(after?: StackState): Pick<Ending, "rotatedEarlier"> {
    const { unreportedSince } = this.#record;
    return { rotatedEarlier: rotatedEarlier(this.#before, after, unreportedSince, rotationsSent(this.#requests)) };
  }

  #afterRun(state: StackState): Partial<Ending> {
    return {
      uncertain: state.objects.filter(({ uncertain }) => uncertain).length,
      nextDueDate: nextDueDate(state) ?? null,
      rotatedAgain: rotatedAgain(this.#before, state, rotationsSent(this.#requests)),
      ...this.#earlier(state),
      pending: pendingIn(state),
    };
  }

  /** A CLI that runs is waited for, even if nobody can be told of it. */
  async #tellStarted(pid: number): Promise<void> {
    const { processes, hostLock } = this.#facts;
    const cli = idOf(processes, pid);
    // The end of the run is written too, and says so if that fails.
    await Promise.allSettled([
      this.#record.noteStarted(cli),
      Promise.resolve().then(() => {
        hostLock.addOwner(cli);
      }),
    ]);
  }

  /** If the store is gone at the end of a run, the record of its start stays, and the result is told all the same. */
  async #written(write: () => Promise<void>): Promise<string> {
    try {
      await write();
      return "";
    } catch (error) {
      const why = cleanText(messageOf(error), this.#facts.secrets) ?? "unknown";
      return `; the record could not be written (${why})`;
    }
  }

  get #requests(): string {
    return requestsOf(this.#facts.files);
  }

  get #lockFacts(): LockFacts {
    const { processes, cancelLocksAfterMs, now } = this.#facts;
    return { processes, started: this.#record.started, limitMs: cancelLocksAfterMs, now: now().getTime() };
  }

  /** @returns a lock that is not stale, if there is one */
  #removeStaleFiles(): StackLock | undefined {
    const { backend } = this.#facts.project;
    const facts = this.#lockFacts;
    const locks = backend?.locks() ?? [];
    const live = locks.find((lock) => staleness(lock, facts) === undefined);
    if (live) return live;
    for (const lock of locks) {
      backend?.removeLock(lock);
      this.#tellStale(lock, facts);
    }
    return undefined;
  }

  /** `pulumi cancel` removes every lock of the stack, so each must be stale. */
  async #cancel(locks: readonly StackLock[]): Promise<boolean> {
    const facts = this.#lockFacts;
    if (locks.length === 0 || locks.some((lock) => staleness(lock, facts) === undefined)) return false;
    const { code } = await this.#change(["cancel", "--yes"]);
    if (code !== 0) return false;
    for (const lock of locks) this.#tellStale(lock, facts);
    return true;
  }

  #tellStale(lock: StackLock, facts: LockFacts): void {
    const line = `${holderOf(lock)}: ${staleness(lock, facts) ?? ""}`;
    this.staleLocks.push(line);
    this.#facts.onProgress(`removed a stale lock, of ${line}`);
  }

  /** @param isFirst whether nothing was sent yet. A later one tells what was, and is not interrupted. */
  async #exported(isFirst = false): Promise<StackState> {
    const finished = await this.#pulumi(["stack", "export"], { isInterruptible: isFirst });
    if (finished.code !== 0) throw new Error(this.#failure(finished));
    return readStackState(finished.stdout);
  }

  async #change(args: readonly string[]): Promise<Finished> {
    await this.#record.begin();
    return this.#pulumi(args, { isInterruptible: true, onStart: (pid) => this.#tellStarted(pid) });
  }

  #pulumi(args: readonly string[], { isInterruptible, onStart }: CommandOptions): Promise<Finished> {
    const { project, env, files, signal, forceSignal } = this.#facts;
    const signals = (isInterruptible ? [signal, forceSignal] : []).filter((each) => each !== undefined);
    return runPulumi([...args, "--stack", project.stack], {
      folder: project.folder,
      env: {
        PULUMI_SKIP_UPDATE_CHECK: "1",
        ...env,
        // The preview before an update as events, which have the policies.
        PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1",
        VOICEPLANE_REQUEST_LOG: this.#requests,
        ...(existsSync(preload) && {
          NODE_OPTIONS: [env.NODE_OPTIONS, `--require=${JSON.stringify(preload)}`].join(" ").trim(),
        }),
      },
      files,
      signals,
      ...(onStart && { onStart }),
    });
  }

  #changedInputs(): string | undefined {
    const { inputs, readAll } = this.#facts;
    const { digests, stamp } = readAll();
    const changed = changedInputs(inputs.digests, digests);
    if (changed.length > 0) return `changed during the last run: ${changed.join(", ")}`;
    // The engine may have read what was there in between.
    return stamp === inputs.stamp ? undefined : "a file of the project was written during the last run";
  }

  /** The engine reads YAML in its own way: if it found another organization file, this one's digest proves nothing. */
  #otherFile(): string | undefined {
    const { isOwnCode, organizationFile } = this.#facts.project;
    const isSame = (this.#organizationFile ?? "organization.yaml") === organizationFile;
    return isOwnCode || isSame
      ? undefined
      : "the last run read another organization file than the configuration seems to name";
  }

  async #report({ stdout }: Finished): Promise<Report | undefined> {
    try {
      const preview = readPreview(stdout);
      this.#organizationFile = preview.organizationFile;
      return await describe(preview, { secrets: this.#facts.secrets });
    } catch (error) {
      if (error instanceof PreviewError) return undefined;
      throw error;
    }
  }

  #failure(finished: Finished, errors: readonly string[] = []): string {
    return this.#facts.signal?.aborted === true ? "interrupted" : failureOf(finished, errors, this.#facts);
  }
}

const lockedBy = (lock: StackLock | undefined): Ending => ({
  outcome: "locked",
  reason: `the stack is locked by ${lock ? holderOf(lock) : "another run"}`,
  uncertain: null,
});
