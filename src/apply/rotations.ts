/** What became of the rotations of a run, and of the earlier runs that could not report theirs. */
import type { ObjectState, StackState } from "../engine/state.js";
import type { Sent } from "./journal.js";
import type { Lost, RunRecord } from "./record.js";

/** A webhook whose secret was rotated because an earlier rotation was lost. */
export interface RotatedAgain {
  /** The resource's name. */
  readonly name: string;
  /** The webhook's id; undefined where the program made it secret. */
  readonly webhook: string | undefined;
  readonly why: string;
}

/**
 * A webhook whose secret was rotated by an earlier run that ended before it could report it: its apply died, or its record was
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

interface RotationFacts {
  /** The state before the run; undefined where the last run is known to have ended well. */
  readonly before: State;
  /** The state after the run; undefined if it cannot be read. */
  readonly after: State;
  readonly record: RunRecord | undefined;
  /** By the journals of runs that reported nothing. */
  readonly earlier: readonly Sent[];
  /** By this run's journal. */
  readonly own: readonly Sent[];
  /** Whether this run did everything that the program declares. */
  readonly isDone: boolean;
}

type State = StackState | undefined;

const answerLost = "the answer to its last rotation was lost";

/** @returns also the lost ones, whose secret is not in the state */
export function rotationsOf(facts: RotationFacts) {
  const { before, after, record, isDone } = facts;
  const earlier = facts.earlier.filter(isRotation);
  const own = facts.own.filter(isRotation);
  const isStored = (sent: Sent): boolean =>
    sent.isConfirmed && (isIn(before, sent) || (isIn(after, sent) && !isAmong(own, sent)));
  const reported = (record?.lost ?? []).filter((sent) => !isIn(before, sent));
  const missing = [
    ...reported.map((sent) => ({ sent, why: answerLost, later: [...earlier, ...own] })),
    ...earlier.flatMap((sent, index) => {
      const later = [...earlier.slice(index + 1), ...own];
      return isStored(sent) ? [] : [{ sent, why: "an earlier run died while rotating it", later }];
    }),
  ];
  const again = missing.filter(({ sent, later }) => isAmong(later, sent));
  const open = missing.filter(({ sent, later }) => !isAmong(later, sent)).map(({ sent }) => sent);
  const lost = [...open, ...own.filter((sent, index) => !isAmong(own.slice(index + 1), sent))]
    // What is not declared any more has no secret that could be wrong.
    .filter((sent) => !isIn(after, sent) && (!isDone || objectOf(after, sent) !== undefined));
  return {
    again: onceEach([
      ...againByState(before, after, own),
      ...again.map(({ sent, why }) => ({ ...nameOf(sent, [after, before]), why })),
    ]),
    earlier: earlier
      .filter(({ isConfirmed }) => isConfirmed)
      .map((sent) => ({
        ...nameOf(sent, [after, before]),
        at: (isStored(sent) ? storedAt(sent, [before, after]) : undefined) ?? sent.at,
      })),
    lost: lost.map(({ id, organization, at }) => ({ id, organization, at })),
  };
}

const isRotation = ({ operation }: Sent): boolean => operation === "rotateWebhookSecret";

const isAmong = (list: readonly Sent[], sent: Lost): boolean => list.some((each) => isOf(each, sent));

const isOf = (one: Pick<Lost, "id" | "organization">, { id, organization }: Lost): boolean =>
  one.id === id && (one.organization ?? organization) === (organization ?? one.organization);

/** The webhook's object. Where the program made ids secret, it may be any of these. */
function objectOf(state: State, sent: Lost): ObjectState | undefined {
  const objects = (state?.objects ?? []).filter(({ rotation }) => rotation !== undefined);
  return (
    objects.find(({ id = "", organization }) => isOf({ id, organization }, sent)) ??
    objects.find(({ id }) => id === undefined)
  );
}

/** The date in the first state that has the secret of this rotation, or of a later one. */
function storedAt(sent: Lost, states: readonly State[]): string | undefined {
  return states
    .map((state) => objectOf(state, sent))
    .find((object) => object?.uncertain === false && Date.parse(object.rotation?.at ?? "") >= Date.parse(sent.at))
    ?.rotation?.at;
}

const isIn = (state: State, sent: Lost): boolean => storedAt(sent, [state]) !== undefined;

export function nameOf(sent: Lost, states: readonly State[]): Omit<RotatedAgain, "why"> {
  const object = states.map((state) => objectOf(state, sent)).find((found) => found !== undefined);
  return object ? { name: object.name, webhook: object.id } : { name: sent.id, webhook: sent.id };
}

function onceEach(items: readonly RotatedAgain[]): RotatedAgain[] {
  const isSame = (one: RotatedAgain) => (other: RotatedAgain) =>
    one.name === other.name && one.webhook === other.webhook;
  return items.filter((item, index) => index === items.findIndex(isSame(item)));
}

/** The second witness, which also knows of runs without a journal: pending operations, and answers that were lost. */
function againByState(before: State, after: State, own: readonly Sent[]): RotatedAgain[] {
  return (after?.objects ?? []).flatMap((object) => {
    const { urn, name, id, rotation } = object;
    const known = before?.objects.find((each) => each.urn === urn);
    const pending = before?.pendingOperations.find((each) => each.urn === urn);
    /** Created again by a run that died before it could report it. */
    const isCleared = pending?.type === "creating" && !after?.pendingOperations.some((each) => each.urn === urn);
    const isSent = own.some((sent) => objectOf(after, sent) === object) || (known !== undefined && isCleared);
    if (rotation === undefined || !isSent) return [];
    const died = pending && `an earlier run died while ${pending.type} it`;
    const why = died ?? (known?.uncertain === true ? answerLost : undefined);
    return why === undefined ? [] : [{ name, webhook: id, why }];
  });
}

/** How many objects there are of which nobody knows what the server has. */
export function uncertainIn(state: StackState, lost: readonly Lost[], settings: readonly Sent[]): number {
  const uncounted = lost.filter((sent) => objectOf(state, sent)?.uncertain !== true);
  return state.objects.filter(({ uncertain }) => uncertain).length + uncounted.length + settings.length;
}
