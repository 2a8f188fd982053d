/** One run of the CLI for one stack, with what has to be done before and after it. */
import { rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf, tried, urnParts } from "../values.js";
import { cleanText } from "../client/safe-text.js";
import { describe, failuresIn, type Report } from "../report/describe.js";
import { saysWhatToCorrect } from "../report/errors.js";
import type { StackLock } from "../engine/backend.js";
import { reasonToRunAgain } from "../engine/conditions.js";
import { readPreview } from "../engine/preview.js";
import { isOfSetting, nextDueDate, pendingIn, resolvedCreates, type StackState } from "../engine/state.js";
import { Commands, type RunFacts } from "./commands.js";
import { failureOf, keepLog } from "../engine/failure.js";
import { removeRunFolder } from "./files.js";
import { Journals, refusedForGood, sentIn, unsavedSettings } from "./journal.js";
import { holderOf, locksIn, staleLocks, type LockFacts } from "../engine/locks.js";
import { previewed } from "./preview.js";
import { RunningRecord } from "./record.js";
import type { Ending } from "./result.js";
import { nameOf, rotationsOf, uncertainIn } from "./rotations.js";
import { changedInputs } from "./inputs.js";

export function failedBy(error: unknown, secrets: readonly string[]): Ending {
  const reason = cleanText(messageOf(error), secrets) ?? "an error without a message";
  return { outcome: "failed", reason, uncertain: null };
}

/** Whatever goes wrong once the CLI was started, the result has what was sent, and the record says that the run failed. */
export async function runStack(facts: RunFacts): Promise<Ending> {
  const run = new Run(facts);
  let ending: Ending | undefined;
  try {
    ending = await run.all().catch((error: unknown) => run.broken(error));
    return { ...ending, ...run.counts() };
  } finally {
    run.close(typeof ending?.log === "string");
  }
}

type Update = Awaited<ReturnType<Run["up"]>>;

class Run {
  readonly #facts: RunFacts;
  readonly #record: RunningRecord;
  readonly #journals: Journals;
  readonly #commands: Commands;
  readonly #staleLocks: string[] = [];
  /** The state before the run, where it was asked for. */
  #before: StackState | undefined;
  /** Whether the record says that what was sent is reported. */
  #isRecorded = false;

  constructor(facts: RunFacts) {
    this.#facts = facts;
    this.#record = new RunningRecord(facts);
    this.#journals = new Journals(facts.journalFolder, basename(facts.files), facts.record?.unreported);
    this.#commands = new Commands(facts, this.#record, this.#journals);
  }

  /** The end of a run in which something else than the CLI went wrong. The result says what was sent. */
  async broken(error: unknown): Promise<Ending> {
    const failed = failedBy(error, this.#facts.secrets);
    // A run that did not begin leaves the report of earlier ones to the next one.
    return this.#record.hasBegun ? { ...(await this.#failed(failed, undefined)), reason: failed.reason } : failed;
  }

  counts(): Pick<Ending, "requests" | "rotations" | "staleLocks"> {
    const attempts = this.#journals.own();
    const rotations = attempts.filter(({ operation, succeeded }) => operation === "rotateWebhookSecret" && succeeded);
    const requests = attempts.filter(({ outcome }) => outcome !== "not-sent");
    return { requests: requests.length, rotations: rotations.length, staleLocks: this.#staleLocks };
  }

  close(isLogKept: boolean): void {
    const { env, files, project, store } = this.#facts;
    const { VOICEPLANE_REQUEST_LOG: file } = env;
    if (file) this.#journals.copyTo(resolve(project.folder, file));
    if (isLogKept) this.#journals.copyTo(join(files, "requests"));
    else rmSync(files, { recursive: true, force: true });
    // A store that writes the record later may still fail.
    if (this.#isRecorded && !store.finish) this.#journals.clear();
  }

  async all(): Promise<Ending> {
    const { record, processes, files, stateVersion, dryRun = false } = this.#facts;
    const holder = this.#removeStaleFiles();
    if (holder !== undefined) return lockedBy(holder);

    // Only a record of a run that ended well says that nothing is pending.
    const version = record && !record.run && record.open === null ? await stateVersion() : undefined;
    if (version === undefined || version !== record?.stateVersion) this.#before = await this.#commands.exported(true);
    if (record?.run?.host === processes.host && !dryRun) removeRunFolder(dirname(files), record.run.folder);
    if (this.#mayLackSettings()) this.#commands.resend ??= this.#commands.mark();

    if (dryRun) return (await previewed(this.#facts, this.#commands)).ending;
    let refused = await this.#refused();
    if (refused) return refused;
    let update = await this.up();
    if (update.locks && (await this.#cancel(update.locks))) {
      refused = await this.#refused();
      if (refused) return refused;
      update = await this.up();
    }
    if (update.locks) {
      await this.#record.restore();
      this.#journals.drop();
      return lockedBy(update.locks[0]);
    }
    const { finished, report } = update;
    const isDone = finished.code === 0 && report?.kind === "update" && report.complete;
    return isDone ? this.#ended(report, update.preview?.organizationFile) : this.#failedUpdate(update);
  }

  /** Whether a run died while it sent a setting: the state may have another value than the server, also one that is declared. */
  #mayLackSettings(): boolean {
    const isPending = this.#before?.pendingOperations.some(({ urn }) => isOfSetting(urn)) ?? false;
    return isPending || unsavedSettings(this.#journals.earlier(), this.#before).length > 0;
  }

  /** With `failOn`: how the run ends if no update may follow its preview. */
  async #refused(): Promise<Ending | undefined> {
    if (this.#facts.failOn === undefined) return undefined;
    const before = await this.#stateSeen();
    const { ending, isAllowed } = await previewed(this.#facts, this.#commands);
    const isSame = !isAllowed || (await this.#stateSeen()) === before;
    const changed = this.#changedInputs("preview") ?? (isSame ? undefined : "the state changed during the preview");
    if (isAllowed && changed === undefined) return undefined;
    await this.#record.refuse();
    this.#journals.drop();
    return isAllowed ? { outcome: "failed", reason: `nothing was sent: ${changed ?? ""}`, uncertain: null } : ending;
  }

  async #stateSeen(): Promise<string> {
    return (await this.#facts.stateVersion()) ?? JSON.stringify(await this.#commands.exported(true));
  }

  /** Without a preview or a report, it ended before its first event. With locks, it ended for them. */
  async up() {
    // Without a preview, resources that comply may be sent before the one that violates a policy.
    const finished = await this.#commands.up(this.#facts.mayHavePolicies);
    const preview = tried(() => readPreview(finished.stdout));
    const report = preview && (await describe(preview, { secrets: this.#facts.secrets }));
    // An update that has begun had the lock: a message about one is of the program's own.
    const isUpdate = finished.code === 0 || report?.kind === "update";
    return { finished, preview, report, locks: isUpdate ? undefined : locksIn(finished.stderr) };
  }

  async #ended(report: Report, organizationFile: string | undefined): Promise<Ending> {
    const { inputs, stateVersion, reason } = this.#facts;
    const changed = this.#changedInputs("last run");
    const version = await stateVersion();
    const exported = await this.#commands.exported();
    // Another one's change in between may not be in the export.
    const isSame = (await stateVersion()) === version;
    const { after, version: left } = await this.#clearResolvedCreates(exported, isSame ? version : undefined);
    const { lost, facts } = this.#afterRun(after, true);
    const lostOne = lost[0] && `the answer to a rotation of ${nameOf(lost[0], [after]).name} was lost`;
    const open = reasonToRunAgain(after) ?? lostOne ?? this.#otherFile(organizationFile) ?? changed ?? null;
    const ending = { inputs: inputs.digests, stateVersion: left, open, nextDueDate: nextDueDate(after) ?? null, lost };
    const unwritten = await this.#written(() => this.#record.end(ending));
    const resent = "; every setting is sent again, because an earlier run ended before its state was saved";
    return {
      outcome: report.changeCount > 0 ? "applied" : "unchanged",
      reason: reason + (this.#commands.resend === undefined ? "" : resent) + unwritten,
      summary: report.summary,
      risks: report.risks,
      ...facts,
    };
  }

  /** @returns the state, and its version; undefined if another run may have changed it in between */
  async #clearResolvedCreates(after: StackState, version: string | undefined) {
    const { stateVersion, onProgress } = this.#facts;
    const resolved = resolvedCreates(after);
    const root = after.resources.find(({ urn }) => urnParts(urn).type === "pulumi:pulumi:Stack");
    if (resolved.length === 0 || root === undefined) return { after, version };
    onProgress(`clearing pending creates whose resource exists: ${resolved.join(", ")}`);
    // The flag clears them all, whatever the target. A refresh of the stack itself reads nothing, so it drops no object that
    // the server does not list.
    const flags = ["--yes", "--skip-preview", "--clear-pending-creates", "--target", root.urn];
    await this.#commands.change(["refresh", ...flags]);
    const cleared = await stateVersion();
    const left = await this.#commands.exported();
    const isSame = version !== undefined && (await stateVersion()) === cleared;
    return { after: left, version: isSame ? cleared : undefined };
  }

  async #failedUpdate({ finished, report }: Update): Promise<Ending> {
    const isInterrupted = this.#facts.signal?.aborted === true;
    const why = failureOf(finished, failuresIn(report), this.#facts);
    const reason = isInterrupted ? "interrupted" : why;
    const after = await this.#commands.exported().catch(() => undefined);
    return {
      ...(await this.#failed({ outcome: "failed", reason }, after)),
      needsPerson: saysWhatToCorrect(report?.errors ?? []) || refusedForGood(this.#journals.own()),
      // A preview shows what was not done.
      ...(report?.kind === "update" && { summary: report.summary, risks: report.risks }),
      log: keepLog(finished, this.#facts),
    };
  }

  /** @param after undefined if the state cannot be read */
  async #failed(ending: Ending, after: StackState | undefined): Promise<Ending> {
    const { lost, facts } = this.#afterRun(after, false);
    const isUnsaved = unsavedSettings(this.#journals.own(), after).length > 0;
    const left = { lost, ...(isUnsaved && { resend: this.#commands.mark() }) };
    const unwritten = await this.#written(() => this.#record.fail(left));
    return { ...ending, reason: ending.reason + unwritten, ...facts };
  }

  #afterRun(after: StackState | undefined, isDone: boolean) {
    const { record } = this.#facts;
    const sent = { earlier: sentIn(this.#journals.earlier()), own: sentIn(this.#journals.own()) };
    const { lost, ...found } = rotationsOf({ before: this.#before, after, record, isDone, ...sent });
    const settings = isDone ? [] : unsavedSettings(this.#journals.own(), after);
    const facts: Partial<Ending> = {
      uncertain: after ? uncertainIn(after, lost, settings) : null,
      rotatedAgain: found.again,
      rotatedEarlier: found.earlier,
      ...(after && { nextDueDate: nextDueDate(after) ?? null, pending: pendingIn(after) }),
    };
    return { lost, facts };
  }

  /** If the store is gone at the end of a run, the record of its start stays, and the result is still correct. */
  async #written(write: () => Promise<void>): Promise<string> {
    try {
      await write();
      this.#isRecorded = true;
      return "";
    } catch (error) {
      const why = cleanText(messageOf(error), this.#facts.secrets) ?? "unknown";
      return `; the record could not be written (${why})`;
    }
  }

  #changedInputs(phase: "preview" | "last run"): string | undefined {
    const { inputs, readAll } = this.#facts;
    const { digests, stamp } = readAll();
    const changed = changedInputs(inputs.digests, digests);
    if (changed.length > 0) return `changed during the ${phase}: ${changed.join(", ")}`;
    // The engine may have read what was there in between.
    return stamp === inputs.stamp ? undefined : `a file of the project was written during the ${phase}`;
  }

  /** The engine reads YAML in its own way: if it found another organization file, this one's digest proves nothing. */
  #otherFile(found = "organization.yaml"): string | undefined {
    const { isOwnCode, organizationFile } = this.#facts.project;
    const why = "the last run read another organization file than the one that the configuration names";
    return isOwnCode || found === organizationFile ? undefined : why;
  }

  get #lockFacts(): LockFacts {
    const { processes, cancelLocksAfterMs, now } = this.#facts;
    return { processes, started: this.#record.started, limitMs: cancelLocksAfterMs, now: now().getTime() };
  }

  /** @returns a lock that is not stale, if there is one */
  #removeStaleFiles(): StackLock | undefined {
    const { backend } = this.#facts.project;
    const locks = backend?.locks() ?? [];
    const stale = staleLocks(locks, this.#lockFacts);
    if ("host" in stale) return stale;
    if (this.#facts.dryRun === true) return undefined;
    for (const lock of locks) backend?.removeLock(lock);
    this.#noteStale(stale);
    return undefined;
  }

  /** `pulumi cancel` removes every lock of the stack, so each must be stale. */
  async #cancel(locks: readonly StackLock[]): Promise<boolean> {
    const stale = staleLocks(locks, this.#lockFacts);
    if (locks.length === 0 || "host" in stale) return false;
    const { code } = await this.#commands.change(["cancel", "--yes"]);
    if (code === 0) this.#noteStale(stale);
    return code === 0;
  }

  #noteStale(lines: readonly string[]): void {
    this.#staleLocks.push(...lines);
    for (const line of lines) this.#facts.onProgress(`removed a stale lock, of ${line}`);
  }
}

const lockedBy = (lock: StackLock | undefined): Ending => ({
  outcome: "locked",
  reason: `the stack is locked by ${lock ? holderOf(lock) : "another run"}`,
  uncertain: null,
});
