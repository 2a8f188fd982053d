/** What earlier runs left that ended without a report, and what this run made of it. */
import { urnParts } from "../values.js";
import { resourceTypeOf } from "../resources/index.js";
import type { ObjectState, StackState } from "../engine/state.js";

/** A webhook whose secret this run rotated because an earlier rotation was lost. */
export interface RotatedAgain {
  /** The resource's name. */
  readonly name: string;
  /** The webhook's id; undefined where the program made it secret. */
  readonly webhook: string | undefined;
  readonly why: string;
}

/** @param isSent whether this run sent a rotation of the webhook: another engine may still have run beside it */
export function rotatedAgain(
  before: StackState | undefined,
  after: StackState,
  isSent: (webhook: string | undefined) => boolean,
): RotatedAgain[] {
  if (before === undefined) return [];
  const earlier = new Map(before.objects.map((object) => [object.urn, object]));
  /** Created again by a run that died before it could report it. */
  const isCreatedAgain = (urn: string) => earlier.has(urn) && creating(before).has(urn) && !creating(after).has(urn);
  return after.objects.flatMap((object) => {
    const { urn, rotation } = object;
    const isAgain = (isRotated(earlier.get(urn), object) && isSent(object.id)) || isCreatedAgain(urn);
    if (rotation === undefined || !isAgain) return [];
    const why = reasonFor(object.urn, before, earlier.get(object.urn));
    return why === undefined ? [] : [{ name: object.name, webhook: object.id, why }];
  });
}

/** Also true where the answer to the new rotation was lost. A run that sent nothing left the object as it was. */
function isRotated(before: ObjectState | undefined, after: ObjectState): boolean {
  if (after.uncertain) return after.modified !== before?.modified;
  return after.rotation?.at !== undefined && after.rotation.at !== before?.rotation?.at;
}

function reasonFor(urn: string, before: StackState, object: ObjectState | undefined): string | undefined {
  const pending = before.pendingOperations.find((operation) => operation.urn === urn);
  if (pending) return `an earlier run died while ${pending.type} it`;
  return object?.uncertain === true ? "the answer to its last rotation was lost" : undefined;
}

/**
 * Pending creates whose resource exists by now: nothing has to be done for them any more. Empty if there are others. A resource of
 * another package may have been created twice, and the entry may be the only record of the first object. One of this package
 * stands for an object that its id names.
 */
export function resolvedCreates(state: StackState): string[] {
  const urns = new Set(state.resources.filter(({ isDeleted }) => !isDeleted).map(({ urn }) => urn));
  const creates = [...creating(state)];
  const isOwn = (urn: string): boolean => resourceTypeOf(urnParts(urn).type) !== undefined;
  // The CLI clears all or none.
  return creates.every((urn) => urns.has(urn) && isOwn(urn)) ? creates : [];
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

/**
 * @param since when the first run began that ended without a report, ms since the epoch; undefined if there was none
 * @param isSent whether this run sent a rotation of the webhook
 */
export function rotatedEarlier(
  before: StackState | undefined,
  after: StackState | undefined,
  since: number | undefined,
  isSent: (webhook: string | undefined) => boolean,
): RotatedEarlier[] {
  if (since === undefined) return [];
  const known = new Map(before?.objects.map(({ urn, rotation }) => [urn, rotation?.at]));
  const isMeanwhile = ({ urn, id, rotation }: ObjectState) => known.get(urn) !== rotation?.at && !isSent(id);
  return [...(before?.objects ?? []), ...(after?.objects ?? []).filter(isMeanwhile)].flatMap(
    ({ name, id, rotation }) => {
      const at = rotation?.at;
      return at !== undefined && Date.parse(at) >= since ? [{ name, webhook: id, at }] : [];
    },
  );
}

/** The URNs of pending creates. */
const creating = ({ pendingOperations }: StackState): ReadonlySet<string> =>
  new Set(pendingOperations.filter(({ type }) => type === "creating").map(({ urn }) => urn));

/** Pending operations, for people. */
export const pendingIn = ({ pendingOperations }: StackState): string[] =>
  pendingOperations.map(({ type, urn }) => `${type} ${urnParts(urn).name}`);
