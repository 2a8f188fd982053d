/** One run of the CLI for one stack, with what has to be done before and after it. What became of it is in after-run.ts. */
import { dirname } from "node:path";
import { messageOf } from "../../values/any.js";
import { urnParts } from "../../values/engine.js";
import { cleanText } from "../../values/text.js";
import type { StackLock } from "../engine/backend.js";
import { duplicatesIn, duplicateText } from "../engine/conditions.js";
import { stampsOf } from "../engine/files.js";
import { locksIn } from "../engine/locks.js";
import { staleText, type StaleOutput } from "../engine/outputs.js";
import { missingStackFile, type StackProject } from "../engine/project.js";
import { resolvedCreates, type StackState } from "../engine/state.js";
import type { Report } from "../report/describe.js";
import { saysWhatToCorrect } from "../report/errors.js";
import { format } from "../report/formats.js";
import { exitCodeOf, type FailOn } from "../report/risks.js";
import { afterDoneRun, afterFailedUpdate, afterFailure, mayLackSettings, type RunEnd } from "./after-run.js";
import type { Commands, Described, Watch } from "./commands.js";
import { removeRunFolder } from "./files.js";
import type { Journals } from "./journal.js";
import type { StackLocks } from "./locks.js";
import type { ApplyOptions, PlannedChange } from "./options.js";
import type { RunningRecord } from "./record.js";
import type { Ending } from "./result.js";

export interface StackRun extends Pick<ApplyOptions, "dryRun" | "reportFormat"> {
  readonly project: StackProject;
  /** Why the stack is run. */
  readonly reason: string;
  /** Undefined if no update needs a preview for it. */
  readonly failOn: FailOn | undefined;
  /** Undefined if nobody has to see what the preview shows. */
  readonly onPreview: ApplyOptions["onPreview"] | undefined;
  readonly mayHavePolicies: boolean;
  readonly commands: Commands;
  readonly locks: StackLocks;
  readonly record: RunningRecord;
  readonly journals: Journals;
  /** The private folder of the run. */
  readonly files: string;
  /** What no message may repeat. */
  readonly secrets: readonly string[];
  readonly stateVersion: () => Promise<string | undefined>;
  readonly onProgress: (line: string) => void;
}

/** The state that a run starts from. */
interface Start {
  /** Undefined where the last run is known to have ended well. */
  readonly before: StackState | undefined;
  /** With this mark, the provider sends each setting again. */
  readonly resend: string | undefined;
}

export function failedBy(error: unknown, secrets: readonly string[]): Ending {
  const reason = cleanText(messageOf(error), secrets, 1000) ?? "an error without a message";
  return { outcome: "failed", reason, uncertain: null };
}

export async function runStack(run: StackRun): Promise<RunEnd> {
  const { locks, secrets } = run;
  const end = await endOf(run).catch((error: unknown): RunEnd => ({ ending: failedBy(error, secrets) }));
  return { ...end, ending: { ...end.ending, staleLocks: locks.removed } };
}

async function endOf(run: StackRun): Promise<RunEnd> {
  const { locks, record, journals, secrets, dryRun = false } = run;
  const holder = locks.removeStaleFiles(dryRun);
  if (holder !== undefined) return { ending: locks.lockedBy(holder) };
  locks.endHosts();
  const start = await startOf(run);
  try {
    return await endFrom(run, start);
  } catch (error) {
    // A run that did not begin leaves the report of earlier ones to the next one.
    if (!record.hasBegun) throw error;
    // The result says what was sent, and the record that the run failed.
    const traces = { before: start.before, after: undefined, own: journals.own(), earlier: journals.earlier() };
    return afterFailure(record, failedBy(error, secrets), traces);
  }
}

async function startOf({ project, commands, record, journals, files, stateVersion, dryRun }: StackRun): Promise<Start> {
  const { last, run } = record;
  // Only a record of a run that ended well says that nothing is pending.
  const isClean = last && !last.run && last.open === null && !journals.hasEarlier;
  const version = isClean === true ? await stateVersion() : undefined;
  const isKnown = version !== undefined && version === last?.stateVersion && project.missingFile === undefined;
  const before = isKnown ? undefined : await commands.compared(true);
  const { secretsProvider = "service" } = before ?? {};
  if (project.missingFile !== undefined && secretsProvider !== "service") {
    throw new Error(missingStackFile(project.missingFile));
  }
  if (last?.run?.host === run.host && dryRun !== true) removeRunFolder(dirname(files), last.run.folder);
  const isLacking = mayLackSettings(before, journals.earlier());
  return { before, resend: last?.resend ?? (isLacking ? record.mark() : undefined) };
}

async function endFrom(run: StackRun, start: Start): Promise<RunEnd> {
  const { commands, locks, record, dryRun } = run;
  const [twice] = duplicatesIn(start.before ?? { objects: [] }).filter(([object]) => object?.rotation !== undefined);
  if (twice) {
    const reason = `${duplicateText(twice)}. Each would rotate its secret: remove one of them with \`pulumi state delete URN\``;
    return { ending: { outcome: "failed", reason, needsPerson: true, uncertain: null } };
  }
  if (dryRun === true) return { ending: (await previewed(run, start, start.before?.staleOutputs)).ending };

  let update = await allowedUpdate(run, start);
  if ("ending" in update) return update;
  const cancel = async () => (await changed(run, start, (watch) => commands.cancel(watch))).finished;
  if (update.locks && (await locks.cancel(update.locks, cancel))) {
    update = await allowedUpdate(run, start);
    if ("ending" in update) return update;
  }
  if (update.locks) return { ending: await locks.heldBy(update.locks), record: record.locked() };
  const { finished, report } = update;
  if (finished.code === 0 && report?.kind === "update" && report.complete) return ended(run, start, report);
  return failed(run, start, update);
}

interface Previewed {
  /** Of a run that ends here. */
  readonly ending: Ending;
  /** Undefined if no update may follow. */
  readonly changes: readonly PlannedChange[] | undefined;
}

/** @param stale outputs that an update would register again */
async function previewed(run: StackRun, { resend }: Start, stale: readonly StaleOutput[] = []): Promise<Previewed> {
  const { commands, record, failOn, reportFormat = "terminal" } = run;
  const preview = await commands.preview(resend, stale);
  const { finished, report } = preview;
  // No command has read the state since.
  const unknown = { uncertain: null, nextDueDate: record.last?.nextDueDate ?? null };
  if (finished.code !== 0 || report?.kind !== "preview" || !report.complete) {
    const ending = {
      outcome: "failed" as const,
      reason: commands.failure(preview, "the preview cannot be read as a whole"),
      needsPerson: saysWhatToCorrect(report?.errors ?? []),
      log: commands.keepLog(preview),
      ...unknown,
    };
    return { ending, changes: undefined };
  }
  const { summary, risks, changeCount, changes } = report;
  const staleOutputs = stale.map(({ output }) => output);
  const shown = { summary, risks, report: format(report, reportFormat), ...unknown, staleOutputs };
  if (failOn === undefined || exitCodeOf(report, failOn) === 0) {
    const outcome = changeCount > 0 ? "previewed" : "unchanged";
    return { ending: { outcome, reason: [run.reason, ...stale.map(staleText)].join("; "), ...shown }, changes };
  }
  const labels = risks.filter((risk) => failOn.risks.has(risk)).join(", ");
  const reason = `the preview shows changes that --fail-on refuses${labels === "" ? "" : `: ${labels}`}`;
  return { ending: { outcome: "failed", reason, needsPerson: true, ...shown }, changes: undefined };
}

/** An update. With locks, it ended for them. */
interface Update extends Described {
  readonly locks: readonly StackLock[] | undefined;
}

/** @returns the end of the run if its preview allows no update */
async function allowedUpdate(run: StackRun, start: Start): Promise<Update | RunEnd> {
  const { commands, mayHavePolicies } = run;
  const refusal = await refused(run, start);
  if (refusal) return { ending: refusal, record: run.record.refused() };
  // Without a preview, resources that comply may be sent before the one that violates a policy.
  const update = await changed(run, start, (watch) => commands.up(mayHavePolicies, watch));
  const { finished, report } = update;
  // An update that has begun had the lock: a message about one is of the program's own.
  const isUpdate = finished.code === 0 || report?.kind === "update";
  return { ...update, locks: isUpdate ? undefined : locksIn(finished.stderr) };
}

/** With `failOn` or `onPreview`: how the run ends if no update may follow its preview. */
async function refused(run: StackRun, start: Start): Promise<Ending | undefined> {
  const { failOn, onPreview } = run;
  if (failOn === undefined && onPreview === undefined) return undefined;
  const seen = await seenNow(run);
  const { ending, changes } = await previewed(run, start);
  if (changes === undefined) return ending;
  const why = await onPreview?.(changes);
  if (why !== undefined) return { ...ending, outcome: "failed", reason: why, needsPerson: true };
  if ((await seenNow(run)) === seen) return undefined;
  const reason = "nothing was sent: the state or a file of the project changed during the preview";
  return { outcome: "failed", reason, uncertain: null };
}

/** The state, and the files that say what to send. */
async function seenNow({ project, commands, stateVersion }: StackRun): Promise<string> {
  const state = (await stateVersion()) ?? JSON.stringify(await commands.exported(true));
  return [state, ...stampsOf(project.files)].join("\n");
}

/** A command that changes the stack is in the journal and the record before it starts. */
async function changed<T extends Pick<Described, "finished">>(
  { record, journals, locks }: StackRun,
  { resend }: Start,
  command: (watch: Watch) => Promise<T>,
): Promise<T> {
  const log = journals.begin(record.run.folder);
  await record.begin(resend);
  // A CLI that runs is waited for, even if it cannot be noted. The end of the run is written too, and says so if that fails.
  const onStart = (pid: number) => record.noteStarted(locks.addOwner(pid)).catch(() => undefined);
  const ended = await command({ log, resend, onStart });
  if (ended.finished.code !== null) record.noteEnded();
  return ended;
}

async function ended(run: StackRun, start: Start, report: Report): Promise<RunEnd> {
  const { commands, record, journals, stateVersion, reason } = run;
  const version = await stateVersion();
  const exported = await commands.exported();
  // The export may lack a change that another run made meanwhile.
  const isSame = (await stateVersion()) === version;
  const left = await withoutResolvedCreates(run, start, exported, isSame ? version : undefined);
  const sent = { own: journals.own(), earlier: journals.earlier() };
  return afterDoneRun(record, { ...start, ...left, ...sent, report, reason });
}

/** @returns the state, and its version; undefined if another run may have changed it meanwhile */
async function withoutResolvedCreates(
  run: StackRun,
  start: Start,
  after: StackState,
  version: string | undefined,
): Promise<{ readonly after: StackState; readonly stateVersion: string | undefined }> {
  const { commands, stateVersion, onProgress } = run;
  const resolved = resolvedCreates(after);
  const root = after.resources.find(({ urn }) => urnParts(urn).type === "pulumi:pulumi:Stack");
  if (resolved.length === 0 || root === undefined) return { after, stateVersion: version };
  onProgress(`clearing pending creates whose resource exists: ${resolved.join(", ")}`);
  await changed(run, start, (watch) => commands.clearPendingCreates(root.urn, watch));
  const cleared = await stateVersion();
  const left = await commands.exported();
  const isSame = version !== undefined && (await stateVersion()) === cleared;
  return { after: left, stateVersion: isSame ? cleared : undefined };
}

async function failed({ commands, record, journals }: StackRun, { before }: Start, update: Described): Promise<RunEnd> {
  const reason = commands.failure(update);
  const after = await commands.compared(false).catch(() => undefined);
  const traces = { before, after, own: journals.own(), earlier: journals.earlier() };
  const { ending, ...end } = afterFailedUpdate(record, reason, update.report, traces);
  return { ending: { ...ending, log: commands.keepLog(update) }, ...end };
}
