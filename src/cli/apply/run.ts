/** One run of the CLI for one stack, with what has to be done before and after it. */
import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf, tried, urnParts } from "../../values.js";
import { cleanText } from "../../client/safe-text.js";
import { describe, failuresIn, type Report } from "../report/describe.js";
import { saysWhatToCorrect } from "../report/errors.js";
import type { StackLock } from "../engine/backend.js";
import { endHostsOf } from "../engine/processes.js";
import { holderIn } from "../engine/cloud.js";
import { duplicatesIn, duplicateText, reasonToRunAgain } from "../engine/conditions.js";
import { staleText } from "../engine/outputs.js";
import { readPreviewOrUpdate } from "../engine/preview-or-update.js";
import { isOfSetting, nextDueDate, pendingIn, resolvedCreates, type StackState } from "../engine/state.js";
import { Commands } from "./commands.js";
import type { RunFacts } from "./options.js";
import { failureOf, keepLog } from "../engine/failure.js";
import { stampsOf } from "../engine/files.js";
import { removeRunFolder } from "./files.js";
import { changesIn, isRotation, refusedForGood, unsavedSettings, type Journal, type Journals } from "./journal.js";
import { lockedReason, locksIn, staleLocks, type LockFacts } from "../engine/locks.js";
import { missingStackFile } from "../engine/project.js";
import { previewed } from "./planned.js";
import { RunningRecord, type RunRecord } from "./record.js";
import type { Ending } from "./result.js";
import { rotationsOf, uncertainIn } from "./rotations.js";

export function failedBy(error: unknown, secrets: readonly string[]): Ending {
  const reason = cleanText(messageOf(error), secrets, 1000) ?? "an error without a message";
  return { outcome: "failed", reason, uncertain: null };
}

export interface EndedRun {
  readonly ending: Ending;
  /** Undefined if the record stays as it is. */
  readonly record: RunRecord | undefined;
  /** After the ending was written: removes what it has named. */
  readonly forget: () => void;
}

/** If anything fails after the start of the CLI, the result still has what was sent, and the record says that the run failed. */
export async function runStack(facts: RunFacts): Promise<EndedRun> {
  const run = new Run(facts);
  let ending: Ending | undefined;
  try {
    ending = await run.all().catch((error: unknown) => run.broken(error));
    return run.ended(ending);
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
  /** For the next run. */
  #left: RunRecord | undefined;
  /** What the ending names. */
  #reported: readonly Journal[] = [];

  constructor(facts: RunFacts) {
    this.#facts = facts;
    this.#journals = facts.journals;
    this.#record = new RunningRecord(facts);
    this.#commands = new Commands(facts, this.#record, this.#journals);
  }

  /** The end of a run in which something else than the CLI went wrong. The result says what was sent. */
  broken(error: unknown): Ending {
    const failed = failedBy(error, this.#facts.secrets);
    // A run that did not begin leaves the report of earlier ones to the next one.
    return this.#record.hasBegun ? this.#failed(failed, undefined) : failed;
  }

  ended(ending: Ending): EndedRun {
    return {
      ending: { ...ending, staleLocks: this.#staleLocks },
      record: this.#left,
      forget: () => {
        const { env, project } = this.#facts;
        const { VOICEPLANE_REQUEST_LOG: log } = env;
        this.#journals.remove(this.#reported, log ? resolve(project.folder, log) : undefined);
      },
    };
  }

  close(isLogKept: boolean): void {
    const { files } = this.#facts;
    this.#journals.dropIfEmpty();
    if (isLogKept) this.#journals.copyTo(join(files, "requests"));
    else rmSync(files, { recursive: true, force: true });
  }

  async all(): Promise<Ending> {
    const { record, processes, files, stateVersion, dryRun = false } = this.#facts;
    const holder = this.#removeStaleFiles();
    if (holder !== undefined) return this.#lockedBy(holder);
    for (const { cli } of this.#record.started) endHostsOf(cli, processes);

    // Only a record of a run that ended well says that nothing is pending.
    const isClean = record && !record.run && record.open === null && !this.#journals.hasEarlier;
    const version = isClean === true ? await stateVersion() : undefined;
    const { project } = this.#facts;
    const isUnknown = version === undefined || version !== record?.stateVersion;
    if (isUnknown || project.missingFile !== undefined) this.#before = await this.#commands.compared(true);
    const { secretsProvider = "service" } = this.#before ?? {};
    if (project.missingFile !== undefined && secretsProvider !== "service") {
      throw new Error(missingStackFile(project.missingFile));
    }
    if (record?.run?.host === processes.host && !dryRun) removeRunFolder(dirname(files), record.run.folder);
    if (this.#mayLackSettings()) this.#commands.resend ??= this.#commands.mark();

    const twice = duplicatesIn(this.#before ?? { objects: [] }).find(([object]) => object?.rotation !== undefined);
    if (twice) {
      const reason = `${duplicateText(twice)}. Each would rotate its secret: remove one of them with \`pulumi state delete URN\``;
      return { outcome: "failed", reason, needsPerson: true, uncertain: null };
    }

    if (dryRun) return (await previewed(this.#facts, this.#commands, this.#before?.staleOutputs)).ending;
    let refused = await this.#refused();
    if (refused) return refused;
    let update = await this.up();
    if (update.locks && (await this.#cancel(update.locks))) {
      refused = await this.#refused();
      if (refused) return refused;
      update = await this.up();
    }
    if (update.locks) {
      this.#left = this.#record.locked();
      return this.#lockedBy(await this.#holder(update.locks));
    }
    const { finished, report } = update;
    const isDone = finished.code === 0 && report?.kind === "update" && report.complete;
    return isDone ? this.#ended(report) : this.#failedUpdate(update);
  }

  /** Whether a run died while it sent a setting: the state may have another value than the server, also one that is declared. */
  #mayLackSettings(): boolean {
    const isPending = this.#before?.pendingOperations.some(({ urn }) => isOfSetting(urn)) ?? false;
    return isPending || unsavedSettings(this.#journals.earlier(), this.#before).length > 0;
  }

  /** With `failOn` or `onPreview`: how the run ends if no update may follow its preview. */
  async #refused(): Promise<Ending | undefined> {
    const { failOn, onPreview } = this.#facts;
    if (failOn === undefined && onPreview === undefined) return undefined;
    const before = await this.#seen();
    const { ending, changes } = await previewed(this.#facts, this.#commands);
    const why = changes && (await onPreview?.(changes));
    const isSame = changes === undefined || why !== undefined || (await this.#seen()) === before;
    if (changes !== undefined && why === undefined && isSame) return undefined;
    this.#left = this.#record.refused();
    if (why !== undefined) return { ...ending, outcome: "failed", reason: why, needsPerson: true };
    const changed = "nothing was sent: the state or a file of the project changed during the preview";
    return isSame ? ending : { outcome: "failed", reason: changed, uncertain: null };
  }

  /** The state, and the files that say what to send. */
  async #seen(): Promise<string> {
    const { project, stateVersion } = this.#facts;
    const state = (await stateVersion()) ?? JSON.stringify(await this.#commands.exported(true));
    return [state, ...stampsOf(project.files)].join("\n");
  }

  /** Without a report, it ended before its first event. With locks, it ended for them. */
  async up() {
    // Without a preview, resources that comply may be sent before the one that violates a policy.
    const finished = await this.#commands.up(this.#facts.mayHavePolicies);
    const run = tried(() => readPreviewOrUpdate(finished.stdout));
    const report = run && (await describe(run, { secrets: this.#facts.secrets }));
    // An update that has begun had the lock: a message about one is of the program's own.
    const isUpdate = finished.code === 0 || report?.kind === "update";
    return { finished, report, locks: isUpdate ? undefined : locksIn(finished.stderr) };
  }

  /**
   * Pulumi Cloud's refusal does not name the update that holds the stack. The server does. Its age says nothing: a live update renews its
   * lease, and to cancel it would lose what it has rotated.
   */
  async #holder(locks: readonly StackLock[]): Promise<StackLock | undefined> {
    return (await holderIn(this.#facts.cloud)) ?? locks[0];
  }

  async #ended(report: Report): Promise<Ending> {
    const { stateVersion, reason } = this.#facts;
    const version = await stateVersion();
    const exported = await this.#commands.exported();
    // The export may lack a change that another run made meanwhile.
    const isSame = (await stateVersion()) === version;
    const { after, version: end } = await this.#clearResolvedCreates(exported, isSame ? version : undefined);
    const { rotations, facts } = this.#afterRun(after, true);
    const { left, lost, wentBack } = rotations;
    const lostOne = left.lost?.length ? `the secret of ${lost[0] ?? ""} is not known for sure` : undefined;
    const open = reasonToRunAgain(after) ?? lostOne ?? null;
    const due = nextDueDate(after) ?? null;
    this.#left = this.#record.ended({ stateVersion: end, open, nextDueDate: due, ...left });
    const resent = "every setting is sent again, because an earlier run ended before its state was saved";
    const older = `the state is older than the last run left it, so ${wentBack.join(", ")} may have another secret: was a backup restored?`;
    const stale = this.#before?.staleOutputs ?? [];
    const reasons = [
      reason,
      ...stale.map((each) => `${staleText(each)}; this run registered it again`),
      ...(this.#commands.resend === undefined ? [] : [resent]),
      ...(wentBack.length === 0 ? [] : [older]),
    ];
    return {
      outcome: report.changeCount + stale.length > 0 ? "applied" : "unchanged",
      reason: reasons.join("; "),
      summary: report.summary,
      risks: report.risks,
      ...facts,
    };
  }

  /** @returns the state, and its version; undefined if another run may have changed it meanwhile */
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
    const after = await this.#commands.compared(false).catch(() => undefined);
    return {
      ...this.#failed({ outcome: "failed", reason }, after),
      needsPerson: saysWhatToCorrect(report?.errors ?? []) || refusedForGood(this.#journals.own()),
      // A preview shows what was not done.
      ...(report?.kind === "update" && { summary: report.summary, risks: report.risks }),
      log: keepLog(finished, this.#facts),
    };
  }

  /** @param after undefined if the state cannot be read */
  #failed(ending: Ending, after: StackState | undefined): Ending {
    const { rotations, facts } = this.#afterRun(after, false);
    const isUnsaved = unsavedSettings([this.#journals.own()], after).length > 0;
    const resend = isUnsaved ? this.#commands.mark() : undefined;
    this.#left = this.#record.failed({ ...rotations.left, resend });
    return { ...ending, ...facts };
  }

  #afterRun(after: StackState | undefined, isDone: boolean) {
    const own = this.#journals.own();
    const earlier = this.#journals.earlier();
    // Whether the state has the settings that this run has sent is left to the next one.
    const isOpen = after === undefined && !changesIn([own]).every(isRotation);
    this.#reported = isOpen ? earlier : [...earlier, own];
    const sent = { earlier: changesIn(earlier).filter(isRotation), own: changesIn([own]).filter(isRotation) };
    const rotations = rotationsOf({ before: this.#before, after, record: this.#facts.record, isDone, ...sent });
    const settings = isDone ? [] : unsavedSettings([own], after);
    const unreadable = [own, ...earlier].reduce((sum, journal) => sum + journal.unreadable, 0);
    const uncertain = [...uncertainIn(after, rotations), ...settings.map(({ object }) => object)];
    const facts: Partial<Ending> = {
      requests: own.attempts.filter(({ outcome }) => outcome !== "not-sent").length,
      rotations: rotations.count,
      uncertain: after ? uncertain.length + unreadable : null,
      uncertainObjects: uncertain,
      rotatedAgain: rotations.again,
      rotatedEarlier: rotations.earlier,
      unreadable: [own, ...earlier].flatMap(({ problem }) => problem ?? []),
      staleOutputs: (isDone ? this.#before : after)?.staleOutputs?.map(({ output }) => output) ?? [],
      ...(after && { nextDueDate: nextDueDate(after) ?? null, pending: pendingIn(after) }),
    };
    return { rotations, facts };
  }

  #lockedBy(lock: StackLock | undefined): Ending {
    const { project, cloud } = this.#facts;
    return { outcome: "locked", reason: lockedReason(lock, project.stack, cloud !== undefined), uncertain: null };
  }

  get #lockFacts(): LockFacts {
    const { processes, hostLock, cancelLocksAfterMs, now } = this.#facts;
    const { started } = this.#record;
    return { processes, started, ofThisMachine: hostLock.left, limitMs: cancelLocksAfterMs, now: now().getTime() };
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
