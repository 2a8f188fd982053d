/** What a run found of an earlier one that died, and what it made of it. */
import { urnParts } from "../values.js";
import { resourceTypeOf } from "../resources/index.js";
import type { ObjectState, StackState } from "../engine/state.js";

/** A resource of any package, as an export has it. */
export interface ExportedResource {
  readonly urn: string;
  readonly inputs?: Readonly<Record<string, unknown>> | null;
  readonly initErrors?: readonly unknown[] | null;
  readonly delete?: boolean;
  readonly pendingReplacement?: boolean;
  readonly taint?: boolean;
}

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
  /** Created again by a run that died before it could tell. */
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
 * Pending creates whose resource exists by now: the entries tell nothing any more. Empty if there are others. A resource of
 * another package may have been created twice, and the entry is then all that tells of the first object. One of this package
 * stands for an object that its id names.
 */
export function resolvedCreates({ pendingOperations }: StackState, resources: readonly ExportedResource[]): string[] {
  const urns = new Set(resources.filter((resource) => resource.delete !== true).map(({ urn }) => urn));
  const creates = [...creating({ pendingOperations })];
  const isOwn = (urn: string): boolean => resourceTypeOf(urnParts(urn).type) !== undefined;
  // The CLI clears all or none.
  return creates.every((urn) => urns.has(urn) && isOwn(urn)) ? creates : [];
}

/**
 * A webhook whose secret an earlier run rotated that could not tell it: its apply died, or its record was not written. The engine
 * of one that died may have done so until this run had the stack's lock.
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
 * @param since when the first run that could not tell began, ms since the epoch; undefined if there was none
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
const creating = ({ pendingOperations }: Pick<StackState, "pendingOperations">): ReadonlySet<string> =>
  new Set(pendingOperations.filter(({ type }) => type === "creating").map(({ urn }) => urn));

/** Pending operations, for people. */
export const pendingIn = ({ pendingOperations }: StackState): string[] =>
  pendingOperations.map(({ type, urn }) => `${type} ${nameIn(urn)}`);

export const nameIn = (urn: string): string => urnParts(urn).name;

/** Why the next run has something to do beside its due dates; null if nothing is open. */
export function openIn(
  { objects, pendingOperations }: StackState,
  resources: readonly ExportedResource[],
): string | null {
  const scheduled = new Set(
    resources.filter(({ inputs }) => inputs?.rotateOn != null || inputs?.reassertOn != null).map(({ urn }) => urn),
  );
  const reasons = objects.flatMap(({ urn, name, uncertain, unread, initErrors, leaving, dueOn }) => {
    if (uncertain) return `the answer to the last request for ${name} was lost`;
    if (unread) return `the secret of ${name} is not known`;
    if (initErrors > 0) return `the last update of ${name} failed`;
    if (leaving) return `${name} is still to be deleted or replaced`;
    // No record holds it, so nobody would know that it has come.
    return dueOn === undefined && scheduled.has(urn) ? `the due date of ${name} is a secret` : [];
  });
  const pending = pendingOperations.map(({ type, urn }) => `an earlier run died while ${type} ${nameIn(urn)}`);
  const others = resources.filter(isLeft).map(({ urn }) => `the last update of ${nameIn(urn)} left something to do`);
  return [...reasons, ...pending, ...others][0] ?? null;
}

/** Of all packages, as a program of one's own has them. */
const isLeft = ({ initErrors, delete: deleted, pendingReplacement, taint }: ExportedResource): boolean =>
  (initErrors ?? []).length > 0 || deleted === true || pendingReplacement === true || taint === true;
