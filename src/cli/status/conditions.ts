/** What is not well about an object, in the order of the summary. */
import { isoDate } from "../../resources/schedule.js";
import type { ObjectState, StackState } from "../../engine/state.js";

/** With what to do, each as one line of at most 100 columns. */
export const advice = {
  uncertain: "the answer to the last request was lost; the next `pulumi up` sends it once more",
  unread: "rotated, but no secret was found in the answer: set secretPath, or change triggers",
  failed: "the last update ended with an error: run `pulumi up` again",
  leaving: "a deletion or replacement is left: run `pulumi up` again",
  overdue: "a due date has passed: run `pulumi up`",
  pending: "an update was interrupted: run `pulumi up`, see docs/operations.md",
} as const;

export type Condition = Exclude<keyof typeof advice, "pending">;

/** Empty if all is well. A date that comes today is no fault: today's update does what is due. */
export function conditionsOf(object: ObjectState, now: Date): Condition[] {
  const { uncertain, unread, initErrors, leaving, dueOn } = object;
  const found: Record<Condition, boolean> = {
    uncertain,
    unread,
    // The engine keeps the error of a lost answer too.
    failed: initErrors > 0 && !uncertain,
    leaving,
    overdue: dueOn !== undefined && dueOn < isoDate(now),
  };
  return (Object.keys(found) as Condition[]).filter((condition) => found[condition]);
}

export function isWell({ objects, pendingOperations }: StackState, now: Date): boolean {
  return pendingOperations.length === 0 && objects.every((object) => conditionsOf(object, now).length === 0);
}

/** Seconds since the last rotation; undefined if the resource never rotated the secret. */
export function secretAgeOf({ rotation }: ObjectState, now: Date): number | undefined {
  return rotation?.at === undefined ? undefined : Math.round((now.getTime() - Date.parse(rotation.at)) / 1000);
}
