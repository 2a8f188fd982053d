/** The problems of an object or its stack: to show, and as the reason for the next run. */
import { idKey } from "../../resources/fields.js";
import { isoDate } from "../../resources/schedule.js";
import { staleText } from "./outputs.js";
import type { ObjectState, StackState } from "./state.js";

/** What each condition means and what to do, in at most 100 columns, in the order of a summary. */
export const advice = {
  uncertain: "the last request may have been carried out; the next `pulumi up` sends it once more",
  unread: "rotated, but no secret was found in the answer: set secretPath, or change triggers",
  failed: "the last update ended with an error: run `pulumi up` again",
  leaving: "a deletion or replacement is left: run `pulumi up` again",
  duplicate: "one object, two resources: `pulumi state delete URN` of the one not in the program",
  overdue: "a due date has passed: run `pulumi up`",
  pending: "an update was interrupted: run `pulumi up`, after `pulumi cancel` if the stack is locked",
  stale: "an update ended before it registered its outputs: run `pulumi up`, then read them again",
} as const;

export type Condition = Exclude<keyof typeof advice, "pending" | "stale">;

/** Conditions of one object that do not depend on the date. */
type Fault = Exclude<Condition, "overdue" | "duplicate">;

const reasons: Readonly<Record<Fault, (name: string) => string>> = {
  uncertain: (name) => `the last request for ${name} may have been carried out`,
  unread: (name) => `the secret of ${name} is not known`,
  failed: (name) => `the last update of ${name} failed`,
  leaving: (name) => `${name} is still to be deleted or replaced`,
};

function faultsOf({ uncertain, unread, initErrors, leaving }: ObjectState): Fault[] {
  // The engine keeps the error of a lost answer too.
  const found: Record<Fault, boolean> = { uncertain, unread, failed: initErrors > 0 && !uncertain, leaving };
  return (Object.keys(found) as Fault[]).filter((fault) => found[fault]);
}

/**
 * The resources of each object that has several, for example after an update with `--target`. Each would rotate the secret, or undo
 * what the other declares. Objects are compared as in a program: by type, organization and id.
 */
export function duplicatesIn({ objects }: Pick<StackState, "objects">): readonly ObjectState[][] {
  const known = objects.filter(({ id, deleted }) => id !== undefined && !deleted);
  const keyOf = ({ type, organization, id = "" }: ObjectState) => JSON.stringify([type, organization, idKey(id)]);
  return [...Map.groupBy(known, keyOf).values()].filter((resources) => resources.length > 1);
}

/** @param resources of one object */
export function duplicateText(resources: readonly ObjectState[]): string {
  const [{ type, id, organization } = { type: "", id: "", organization: "" }] = resources;
  return `${resources.map(({ name }) => name).join(" and ")} are one object: ${type} ${String(id)} of ${organization}`;
}

/** Conditions of each object; empty if all is well. A date of today is not overdue: today's update does what is due. */
export function conditionsIn(state: StackState, now: Date): (object: ObjectState) => Condition[] {
  const duplicates = new Set(duplicatesIn(state).flat());
  const today = isoDate(now);
  return (object) => [
    ...faultsOf(object),
    ...(duplicates.has(object) ? (["duplicate"] as const) : []),
    ...(object.dueOn !== undefined && object.dueOn < today ? (["overdue"] as const) : []),
  ];
}

export function isWell(state: StackState, now: Date): boolean {
  const { objects, pendingOperations, staleOutputs = [], unsaved = { names: [], problems: [] } } = state;
  const conditionsOf = conditionsIn(state, now);
  const others = [pendingOperations, staleOutputs, unsaved.names, unsaved.problems];
  return others.every((each) => each.length === 0) && objects.every((each) => conditionsOf(each).length === 0);
}

/** Why the next run has something to do apart from due dates; undefined if it has not. */
export function reasonToRunAgain(state: StackState): string | undefined {
  const { objects, pendingOperations, resources, staleOutputs = [] } = state;
  const scheduled = new Set(resources.filter(({ isScheduled }) => isScheduled).map(({ urn }) => urn));
  const ofObjects = objects.flatMap((object) => {
    const { urn, name, dueOn } = object;
    const [fault] = faultsOf(object);
    if (fault !== undefined) return reasons[fault](name);
    // The record cannot have it, so no run would know when it is due.
    return dueOn === undefined && scheduled.has(urn) ? `the due date of ${name} is a secret` : [];
  });
  const pending = pendingOperations.map(({ type, name }) => `an earlier run died while ${type} ${name}`);
  const unfinished = resources.filter(({ isUnfinished }) => isUnfinished);
  const others = unfinished.map(({ name }) => `the last update of ${name} left something to do`);
  const duplicates = duplicatesIn(state).map(duplicateText);
  return [...ofObjects, ...pending, ...duplicates, ...staleOutputs.map(staleText), ...others][0];
}
