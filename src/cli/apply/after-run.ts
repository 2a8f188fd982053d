/**
 * What became of a run: what its result says, and what it leaves for the next one. All of it is read from what the run has left, which is
 * all that there is of one that died: two states, the journals and the record.
 */
import type { LoggedAttempt, LoggedRequests } from "../../client/request-log.js";
import { reasonToRunAgain } from "../engine/conditions.js";
import { staleText } from "../engine/outputs.js";
import { isOfSetting, nextDueDate, pendingIn, type StackState } from "../engine/state.js";
import type { Report } from "../report/describe.js";
import { saysWhatToCorrect } from "../report/errors.js";
import { changesIn, isRotation, type Journal } from "./journal.js";
import type { RunningRecord, RunRecord } from "./record.js";
import type { Ending } from "./result.js";
import { rotationsOf, uncertainIn } from "./rotations.js";

export interface RunEnd {
  readonly ending: Ending;
  /** For the next run. Absent if the record stays as it is. */
  readonly record?: RunRecord;
  /** The journals that the ending names. */
  readonly reported?: readonly Journal[];
}

interface Traces {
  /** The state before the run; undefined where the last run is known to have ended well. */
  readonly before: StackState | undefined;
  /** The state after the run; undefined if it cannot be read. */
  readonly after: StackState | undefined;
  /** What this run has sent. */
  readonly own: Journal;
  /** What earlier runs have sent that no result has reported. */
  readonly earlier: readonly Journal[];
}

/** Of a run that did everything that the program declares. */
interface DoneRun extends Traces {
  readonly after: StackState;
  /** Undefined if another run may have changed the state meanwhile. */
  readonly stateVersion: string | undefined;
  readonly report: Report;
  /** Why the stack was run. */
  readonly reason: string;
  /** The mark with which each setting was sent again. */
  readonly resend: string | undefined;
}

export function afterDoneRun(record: RunningRecord, run: DoneRun): RunEnd {
  const { before, after, stateVersion, report, reason, resend } = run;
  const stale = before?.staleOutputs ?? [];
  const { rotations, facts, reported } = afterRun(record, run, true);
  const { left, lost, wentBack } = rotations;
  const lostOne = left.lost?.length ? `the secret of ${lost[0] ?? ""} is not known for sure` : undefined;
  const open = reasonToRunAgain(after) ?? lostOne ?? null;
  const resent = "every setting is sent again, because an earlier run ended before its state was saved";
  const older = `the state is older than the last run left it, so ${wentBack.join(", ")} may have another secret: was a backup restored?`;
  const reasons = [
    reason,
    ...stale.map((each) => `${staleText(each)}; this run registered it again`),
    ...(resend === undefined ? [] : [resent]),
    ...(wentBack.length === 0 ? [] : [older]),
  ];
  return {
    ending: {
      outcome: report.changeCount + stale.length > 0 ? "applied" : "unchanged",
      reason: reasons.join("; "),
      summary: report.summary,
      risks: report.risks,
      ...facts,
    },
    record: record.ended({ stateVersion, open, nextDueDate: nextDueDate(after) ?? null, ...left }),
    reported,
  };
}

/** @param report of its update, if it has begun; of its preview otherwise */
export function afterFailedUpdate(
  record: RunningRecord,
  reason: string,
  report: Report | undefined,
  run: Traces,
): RunEnd {
  const { ending, ...end } = afterFailure(record, { outcome: "failed", reason }, run);
  const needsPerson = saysWhatToCorrect(report?.errors ?? []) || refusedForGood(run.own);
  // A preview shows what was not done.
  const done = report?.kind === "update" && { summary: report.summary, risks: report.risks };
  return { ending: { ...ending, needsPerson, ...done }, ...end };
}

/** Of a run that did not end well. */
export function afterFailure(record: RunningRecord, ending: Ending, run: Traces): RunEnd {
  const { rotations, facts, reported } = afterRun(record, run, false);
  const resend = unsavedSettings([run.own], run.after).length > 0 ? record.mark() : undefined;
  return { ending: { ...ending, ...facts }, record: record.failed({ ...rotations.left, resend }), reported };
}

function afterRun({ last }: RunningRecord, { before, after, own, earlier }: Traces, isDone: boolean) {
  const sent = { earlier: changesIn(earlier).filter(isRotation), own: changesIn([own]).filter(isRotation) };
  const rotations = rotationsOf({ before, after, record: last, isDone, ...sent });
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
    staleOutputs: (isDone ? before : after)?.staleOutputs?.map(({ output }) => output) ?? [],
    ...(after && { nextDueDate: nextDueDate(after) ?? null, pending: pendingIn(after) }),
  };
  // Whether the state has the settings that this run has sent is left to the next one.
  const isOpen = after === undefined && !changesIn([own]).every(isRotation);
  return { rotations, facts, reported: isOpen ? earlier : [...earlier, own] };
}

/** Whether a run died while it sent a setting: the state may have another value than the server, also one that is declared. */
export function mayLackSettings(before: StackState | undefined, earlier: readonly Journal[]): boolean {
  const isPending = before?.pendingOperations.some(({ urn }) => isOfSetting(urn)) ?? false;
  return isPending || unsavedSettings(earlier, before).length > 0;
}

/**
 * Settings of a run that did not end well which the server may have and the state has not: the answer is missing, or the provider
 * died before the engine had saved it.
 *
 * @param state after the run. If it cannot be read, the next run finds out, by the journal
 */
function unsavedSettings(journals: readonly Journal[], state: StackState | undefined): LoggedAttempt[] {
  const sent = changesIn(journals).filter((attempt) => !isRotation(attempt));
  const last = new Map(sent.map((each) => [`${each.operation} ${each.object} ${String(each.organization)}`, each]));
  return state === undefined
    ? []
    : [...last.values()].filter((each) => each.outcome === "unanswered" || !isSaved(each, state));
}

/** The engine dates what it saves by this machine's clock. An object that it never saved is created again. */
function isSaved({ object: id, organization, time }: LoggedAttempt, state: StackState): boolean {
  const objects = state.objects.filter(
    (object) =>
      isOfSetting(object.urn) &&
      (object.id ?? id) === id &&
      (organization === undefined || object.organization === organization),
  );
  return objects.every(({ uncertain, modified = "" }) => uncertain || Date.parse(modified) >= Date.parse(time));
}

/** Statuses of requests that the server refuses until a person changes something. */
const lastingRefusals: ReadonlySet<number | undefined> = new Set([400, 401, 402, 403, 404, 422]);

/** Whether there were refusals, and the server would repeat each of them. */
function refusedForGood({ attempts }: LoggedRequests): boolean {
  // Of each request the last attempt. A list that is refused fails no run.
  const changes = attempts.filter(({ operation }) => operation !== "listWebhooks");
  const last = new Map(changes.map((attempt) => [`${attempt.operation} ${attempt.object}`, attempt]));
  const failed = [...last.values()].filter(({ succeeded }) => !succeeded);
  return failed.length > 0 && failed.every(({ status }) => lastingRefusals.has(status));
}
