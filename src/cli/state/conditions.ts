/** What may be wrong with an object or its stack. */
import { objectKey } from "../../lifecycle/object.js";
import { isoDate } from "../../lifecycle/schedule.js";
import type { ObjectState, StackState } from "./state.js";

/** What each condition means, and what to do. Conditions are listed in this order. */
export const advice = {
  uncertain: "the last request may have been carried out; the next `pulumi up` sends it once more",
  unread: "rotated, but no secret was found in the answer: set secretPath, or change triggers",
  failed: "the last update ended with an error: run `pulumi up` again",
  "outputs stale":
    "the outputs do not have its secret, because an update stopped early, or left out its removal: look at `voiceplane preview`, then run " +
    "`voiceplane apply` or `pulumi up`, which sends nothing for it",
  leaving: "a deletion or replacement is left: run `pulumi up` again",
  duplicate: "one object, two resources: `voiceplane doctor` says which one to keep",
  overdue: "a due date has passed: run `pulumi up`",
  pending:
    "an update was interrupted: run `pulumi up`, after `pulumi cancel` if the stack is locked. If a create is still listed then, look at its " +
    "object on the platform, and run `pulumi refresh --clear-pending-creates`",
} as const;

/** Of an object: "pending" is a condition of the stack. */
type Condition = Exclude<keyof typeof advice, "pending">;
const conditions = Object.keys(advice).filter((key): key is Condition => key !== "pending");

/**
 * The resources of each object that has several, for example after an update with `--target`. Each would rotate the secret, or undo
 * what the other declares. Objects are compared as in a program: by type, organization and id.
 */
export function duplicatesIn({ objects }: Pick<StackState, "objects">): readonly ObjectState[][] {
  const identified = objects.filter(({ id, deleted }) => id !== undefined && !deleted);
  const keyOf = ({ type, organization, id = "" }: ObjectState) => objectKey(type, id, organization);
  return [...Map.groupBy(identified, keyOf).values()].filter((resources) => resources.length > 1);
}

/** @param resources of one object */
export function duplicateText(resources: readonly ObjectState[]): string {
  const [{ type, id, organization } = { type: "", id: "", organization: "" }] = resources;
  return `${resources.map(({ name }) => name).join(" and ")} are one object: ${type} ${String(id)} of ${organization}`;
}

/** Finds the conditions of an object; none if all is well. A due date of today is not overdue, because an update of today does what is due. */
export function conditionsIn(state: StackState, now: Date): (object: ObjectState) => Condition[] {
  const duplicates = new Set(duplicatesIn(state).flat());
  const today = isoDate(now);
  return (object) => {
    const { uncertain, unread, initErrors, leaving, outputsStale, dueOn } = object;
    const found: Record<Condition, boolean> = {
      uncertain,
      unread,
      "outputs stale": outputsStale,
      leaving,
      // The engine stores the error of a lost answer too.
      failed: initErrors > 0 && !uncertain,
      duplicate: duplicates.has(object),
      overdue: dueOn !== undefined && dueOn < today,
    };
    return conditions.filter((condition) => found[condition]);
  };
}

export function isWell(state: StackState, now: Date): boolean {
  const { objects, pendingOperations } = state;
  const conditionsOf = conditionsIn(state, now);
  return pendingOperations.length === 0 && objects.every((each) => conditionsOf(each).length === 0);
}

/** A line for each uncertain object and each pending operation. */
export function uncertainIn({ objects, pendingOperations }: StackState): string[] {
  return [
    ...objects.filter(({ uncertain }) => uncertain).map((object) => `${object.name} is uncertain: ${advice.uncertain}`),
    ...pendingOperations.map(({ type, name }) => `pending: ${type} ${name}: ${advice.pending}`),
  ];
}
