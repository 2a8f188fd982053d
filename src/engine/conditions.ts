/** The problems of an object or its stack: to show, and as the reason for the next run. */
import { isoDate } from "../resources/schedule.js";
import type { ObjectState, StackState } from "./state.js";

/** What each condition means and what to do, in at most 100 columns, in the order of a summary. */
export const advice = {
  uncertain: "the answer to the last request was lost; the next `pulumi up` sends it once more",
  unread: "rotated, but no secret was found in the answer: set secretPath, or change triggers",
  failed: "the last update ended with an error: run `pulumi up` again",
  leaving: "a deletion or replacement is left: run `pulumi up` again",
  overdue: "a due date has passed: run `pulumi up`",
  pending: "an update was interrupted: run `pulumi up`, see docs/operations.md",
} as const;

export type Condition = Exclude<keyof typeof advice, "pending">;

/** Conditions that do not depend on the date. */
type Fault = Exclude<Condition, "overdue">;

const reasons: Readonly<Record<Fault, (name: string) => string>> = {
  uncertain: (name) => `the answer to the last request for ${name} was lost`,
  unread: (name) => `the secret of ${name} is not known`,
  failed: (name) => `the last update of ${name} failed`,
  leaving: (name) => `${name} is still to be deleted or replaced`,
};

function faultsOf({ uncertain, unread, initErrors, leaving }: ObjectState): Fault[] {
  // The engine keeps the error of a lost answer too.
  const found: Record<Fault, boolean> = { uncertain, unread, failed: initErrors > 0 && !uncertain, leaving };
  return (Object.keys(found) as Fault[]).filter((fault) => found[fault]);
}

/** Empty if all is well. A date of today is not overdue: today's update does what is due. */
export function conditionsOf(object: ObjectState, now: Date): Condition[] {
  const isOverdue = object.dueOn !== undefined && object.dueOn < isoDate(now);
  return [...faultsOf(object), ...(isOverdue ? (["overdue"] as const) : [])];
}

export function isWell({ objects, pendingOperations }: StackState, now: Date): boolean {
  return pendingOperations.length === 0 && objects.every((object) => conditionsOf(object, now).length === 0);
}

/** Why the next run has something to do apart from due dates; undefined if it has not. */
export function reasonToRunAgain({ objects, pendingOperations, resources }: StackState): string | undefined {
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
  return [...ofObjects, ...pending, ...others][0];
}
