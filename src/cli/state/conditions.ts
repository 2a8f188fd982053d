/** What may be wrong with an object or its stack: `status`, `doctor`, `preview` and `apply` ask this one list. */
import { isoDate } from "../../lifecycle/schedule.js";
import type { ObjectState, PendingOperation, StackState } from "./state.js";

/** What each condition means, and what to do. Conditions are listed in this order. */
export const advice = {
  uncertain: "its last request may have been carried out: run the same update again, which sends it once more",
  pending: "an update was interrupted here: run the same update again, after `pulumi cancel` if the stack is locked",
  unread: "rotated, but no secret was found in the answer: set secretPath, or change triggers",
  "outputs stale":
    "the outputs do not have its secret, because an update stopped early: the next update writes it, and sends nothing for it",
  due: "a due date has passed: run an update",
  adopted: "adopted, and nothing was sent: the server may have other values",
} as const;

type ConditionName = keyof typeof advice;

export interface Condition {
  readonly name: ConditionName;
  /** Undefined for a pending operation whose object has no state. */
  readonly object: ObjectState | undefined;
  /** What has the condition, such as "crm" or "creating WebhookSecret crm". */
  readonly subject: string;
}

/** An adopted object is as somebody has asked for it. */
export const isProblem = ({ name }: Condition): boolean => name !== "adopted";

/** @param now undefined to leave out what is due. What is due today is no condition, because an update of today does it. */
export function conditionsIn({ objects, pendingOperations }: StackState, now?: Date): Condition[] {
  const today = now && isoDate(now);
  const ofObjects = objects.flatMap((object): Condition[] => {
    const { uncertain, unread, outputsStale, adopted, dueOn, name } = object;
    const found: Record<Exclude<ConditionName, "pending">, boolean> = {
      uncertain,
      unread,
      "outputs stale": outputsStale,
      due: dueOn !== undefined && today !== undefined && dueOn < today,
      adopted: adopted && !uncertain,
    };
    const names = Object.keys(found) as (keyof typeof found)[];
    return names.filter((each) => found[each]).map((each) => ({ name: each, object, subject: name }));
  });
  const pending = pendingOperations.map((operation): Condition => {
    const object = objects.find(({ urn, deleted }) => urn === operation.urn && !deleted);
    return { name: "pending", object, subject: pendingText(operation) };
  });
  const order = Object.keys(advice);
  return [...ofObjects, ...pending].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

const pendingText = ({ type, urn, name, object }: PendingOperation): string =>
  `${type} ${object === undefined ? urn : `${object} ${name}`}`;

/** Such as "crm is uncertain: its last request …". */
export const sentenceFor = ({ name, subject }: Condition): string =>
  name === "pending" ? `pending: ${subject}: ${advice[name]}` : `${subject} is ${name}: ${advice[name]}`;
