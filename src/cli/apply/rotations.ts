/**
 * What became of the rotations of a run, and of the earlier runs that could not report theirs. Each rotation has an id, which is in the
 * journal before it is sent and in the state with its secret, and names the one before it. So nothing here compares two times:
 *
 * - stored: a state has its id with a secret, or it was confirmed and a later one names it.
 * - lost: the state still has the rotation from which it started. Nobody knows which secret the server has.
 * - replaced: the state has another one by now, so the webhook was rotated once more.
 */
import type { LoggedAttempt } from "../../client/request-log.js";
import type { ObjectState, PendingOperation, StackState } from "../engine/state.js";
import { idKey } from "../../resources/fields.js";
import { timeOf } from "./journal.js";
import type { KeptRotations, Left, Lost, RunRecord } from "./record.js";

/** A webhook whose secret was rotated because an earlier rotation was lost. */
export interface RotatedAgain {
  /** The resource's name. */
  readonly name: string;
  /** The webhook's id; undefined where the program made it secret. */
  readonly webhook: string | undefined;
  /** Why, in words for people. */
  readonly why: string;
}

/**
 * A webhook whose secret was rotated by an earlier run that ended before it could report it: its apply died, or its result was
 * not written. The engine of one that died may have done so until this run had the stack's lock.
 */
export interface RotatedEarlier {
  /** The resource's name. */
  readonly name: string;
  /** The webhook's id; undefined where the program made it secret. */
  readonly webhook: string | undefined;
  /** ISO 8601. */
  readonly at: string;
}

type State = StackState | undefined;

interface RotationFacts {
  /** The state before the run; undefined where the last run is known to have ended well. */
  readonly before: State;
  /** The state after the run; undefined if it cannot be read. */
  readonly after: State;
  readonly record: RunRecord | undefined;
  /** Rotations that may have been carried out, by the journals of runs that no result has reported. */
  readonly earlier: readonly LoggedAttempt[];
  /** By this run's journal. */
  readonly own: readonly LoggedAttempt[];
  /** Whether this run did everything that the program declares. */
  readonly isDone: boolean;
}

export interface Rotations {
  /** How many this run has carried out, as far as it is known. */
  readonly count: number;
  readonly again: readonly RotatedAgain[];
  readonly earlier: readonly RotatedEarlier[];
  /** Names of the webhooks that may have another secret than the state. */
  readonly lost: readonly string[];
  /** Names of those whose state is older than the last run left it. */
  readonly wentBack: readonly string[];
  readonly left: Left;
}

/** A rotation that may have been carried out. */
interface Candidate extends Lost {
  /** Why another one that follows it is one more than declared. */
  readonly why: string;
  /** For a webhook whose id is not known: its resource. */
  readonly urn?: string;
  /** Whether the result of an earlier run has named it. */
  readonly isReported?: boolean;
}

const answerLost = "its last rotation may have been carried out";
const notTaken = "its last rotation was answered, and the state did not take the secret";
const wentBack = "the state is older than the last run left it";

export function rotationsOf(facts: RotationFacts): Rotations {
  const { before, after, record, earlier, own, isDone } = facts;
  const candidates = candidatesOf(facts);
  const followed = new Set([...earlier, ...own].map(({ since }) => since));
  const isStored = ({ rotation, answered }: Candidate): boolean =>
    rotation !== undefined &&
    (holds(before, rotation) || holds(after, rotation) || (answered === true && followed.has(rotation)));
  const missing = onceEach(candidates.filter((candidate) => !isStored(candidate)));
  // What is not declared any more has no secret that could be wrong: it is reported once.
  const isOpen = (candidate: Candidate) => !isDone || objectsOf(after, candidate).length > 0;
  const lost = missing.filter(
    (candidate) => isLost(after, candidate) && (isOpen(candidate) || candidate.isReported !== true),
  );
  const nameOf = (candidate: Lost) => nameIn([after, before], candidate);
  return {
    count: own.filter(({ id, succeeded }) => succeeded || holds(after, id)).length,
    again: missing
      .filter((candidate) => !isLost(after, candidate))
      .map((candidate) => ({ ...nameOf(candidate), why: candidate.why })),
    earlier: earlier.flatMap((attempt) => {
      // A run that could not read its state has named it.
      if (record?.lost?.some(({ rotation }) => rotation === attempt.id) === true) return [];
      const holder = holderIn([before, after], attempt.id);
      if (!attempt.succeeded && holder === undefined) return [];
      return [{ ...nameOf(lostOf(attempt)), at: holder?.rotation?.at ?? timeOf(attempt) }];
    }),
    lost: [...new Set(lost.map((candidate) => nameOf(candidate).name))],
    wentBack: candidates.filter(({ why }) => why === wentBack).map((candidate) => nameOf(candidate).name),
    left: {
      lost: lost.filter(isOpen).map(({ why, urn, isReported, ...each }) => each),
      kept: after ? keptIn(after, record?.kept) : record?.kept,
    },
  };
}

function candidatesOf({ before, after, record, earlier, own }: RotationFacts): Candidate[] {
  const whyLost = ({ answered }: Lost) => (answered === true ? notTaken : answerLost);
  const reported = [
    ...(record?.lost ?? []).map((lost) => ({ ...lost, why: whyLost(lost), isReported: true })),
    ...earlier.map((attempt) => ({ ...lostOf(attempt), why: "an earlier run died while rotating it" })),
  ];
  // The state knows of runs without a journal here.
  const objects = (before?.objects ?? []).filter(({ rotation, deleted }) => rotation !== undefined && !deleted);
  const isReported = (object: ObjectState) => reported.some((lost) => isOf(object, lost) && startedFrom(object, lost));
  const ofState = ({ id, organization, rotation, urn }: ObjectState, why: string) => ({
    ...{ id, organization, since: rotation?.id ?? null, urn, why },
  });
  return [
    ...reported,
    ...own.map(lostOf).map((lost) => ({ ...lost, why: whyLost(lost) })),
    ...objects.flatMap((object) => {
      const { urn, uncertain, rotation } = object;
      const last = lastKept(object, record?.kept);
      const pending = before?.pendingOperations.find((each) => each.urn === urn && each.type !== "deleting");
      return [
        ...(uncertain && !isReported(object) ? [{ ...ofState(object, answerLost), rotation: rotation?.id }] : []),
        ...(last === undefined ? [] : [{ ...ofState(object, wentBack), rotation: last }]),
        ...(pending?.type === "updating" && !uncertain && !isReported(object) ? [ofState(object, died(pending))] : []),
        // The engine keeps a pending create until it is cleared. A later run has created the object.
        ...(pending?.type === "creating" &&
        !isPending(after, urn) &&
        !reported.some((lost) => isOf(object, lost) && lost.since === null)
          ? [{ ...ofState(object, died(pending)), since: "" }]
          : []),
      ];
    }),
    ...(before?.pendingOperations ?? []).flatMap((pending) => {
      const { urn, type, object } = pending;
      const isNew =
        type === "creating" && object?.type === "WebhookSecret" && !objects.some((each) => each.urn === urn);
      const lost = { id: object?.id, organization: object?.organization, since: null };
      const isKnown = reported.some((each) => object !== undefined && isOf(object, each));
      return isNew && !isKnown ? [{ ...lost, urn, why: died(pending) }] : [];
    }),
  ];
}

const died = ({ type }: PendingOperation): string => `an earlier run died while ${type} it`;

const isPending = (state: State, urn: string): boolean =>
  state === undefined || state.pendingOperations.some((each) => each.urn === urn);

const lostOf = ({ id, since, object, organization, succeeded }: LoggedAttempt): Lost => ({
  ...(succeeded && { answered: true }),
  ...{ id: object, organization, rotation: id, since },
});

/** Where the program made an id secret, it may be any. */
const isOf = (object: Pick<ObjectState, "id" | "organization">, lost: Lost): boolean =>
  object.organization === (lost.organization ?? object.organization) &&
  (object.id === undefined || lost.id === undefined || idKey(object.id) === idKey(lost.id));

const objectsOf = (state: State, { urn, ...lost }: Lost & { readonly urn?: string }): ObjectState[] =>
  (state?.objects ?? []).filter(
    (object) =>
      object.rotation !== undefined &&
      !object.deleted &&
      (lost.id === undefined && urn !== undefined ? object.urn === urn : isOf(object, lost)),
  );

/** Whether the object still has the rotation from which this one started, or has this one without its secret. */
const startedFrom = ({ rotation }: ObjectState, { rotation: own, since }: Lost): boolean =>
  (rotation?.id ?? null) === since || (own !== undefined && rotation?.id === own);

function isLost(after: State, lost: Candidate): boolean {
  const objects = objectsOf(after, lost);
  return objects.length === 0 || objects.some((object) => startedFrom(object, lost));
}

const holderIn = (states: readonly State[], rotation: string): ObjectState | undefined =>
  states.flatMap((state) => state?.objects ?? []).find((each) => each.rotation?.id === rotation && !each.uncertain);

/** Whether the state has the secret of this rotation. */
const holds = (state: State, rotation: string): boolean => holderIn([state], rotation) !== undefined;

function nameIn(states: readonly State[], lost: Lost & { readonly urn?: string }): Omit<RotatedAgain, "why"> {
  const object = states.flatMap((state) => objectsOf(state, lost))[0];
  return object ? { name: object.name, webhook: object.id } : { name: lost.id ?? "a webhook", webhook: lost.id };
}

/** A rotation in the record and in a journal is one. */
const onceEach = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(
    ({ rotation }, index) =>
      rotation === undefined || index === candidates.findIndex((other) => other.rotation === rotation),
  );

/** More say no more: a backup is of one of the last runs. */
const maxKept = 20;

function keptIn(state: StackState, before: readonly KeptRotations[] = []): KeptRotations[] {
  return state.objects.flatMap(({ id, organization, rotation }) => {
    if (id === undefined || rotation?.id === undefined) return [];
    const known = before.find((each) => each.id === id && each.organization === organization)?.rotations ?? [];
    const rotations = [...known.filter((each) => each !== rotation.id), rotation.id];
    return [{ id, organization, rotations: rotations.slice(-maxKept) }];
  });
}

/** The rotation that the last run left, if the state is older; undefined if it is not. */
function lastKept(
  { id, organization, rotation }: ObjectState,
  kept: readonly KeptRotations[] = [],
): string | undefined {
  const known = kept.find((each) => each.id === id && each.organization === organization)?.rotations ?? [];
  const isEarlier = rotation?.id === undefined || known.slice(0, -1).includes(rotation.id);
  return isEarlier ? known.at(-1) : undefined;
}

/** The names of the objects whose state on the server is unknown. */
export function uncertainIn(state: State, { lost }: Rotations): string[] {
  const uncertain = (state?.objects ?? []).filter((object) => object.uncertain).map(({ name }) => name);
  return [...uncertain, ...lost.filter((name) => !uncertain.includes(name))];
}
