/** What is pending: what this machine has begun, and the operations that an engine began on any machine. */
import { pendingVariable, pendingRequestsOn, whyForgetful } from "../../provider/pending.js";
import { cannotRemember } from "../../lifecycle/pending.js";
import { tried } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import type { PendingRequests, Target } from "../../lifecycle/context.js";
import { resources } from "../../resources/index.js";
import { isSameId } from "../../lifecycle/object.js";
import type { ObjectState, PendingObject, StackState } from "./state.js";

export interface Memory extends Pick<PendingRequests, "isPending"> {
  /** Why this machine cannot remember, as a sentence. */
  readonly problem?: string | undefined;
}

/** The variable from which the provider learns what an engine that died, on any machine, may have sent: the ids of the states that it began from. */
export type Pending = Readonly<{ [pendingVariable]?: string }>;

/**
 * The states that the pending operations change. A create starts from no state, and is sent again. An operation is left out if it never sends, as the
 * deletion of a resource without `onDelete`, or if this machine knows that its own run has sent nothing for it.
 */
export function pendingOf({ objects, pendingOperations }: StackState, env: Environment): Pending {
  const memory = pendingRequestsOn(env);
  const sendsOnDelete = (object?: PendingObject) => object && "onDelete" in resources[object.type].args.shape;
  const changing = pendingOperations.filter(
    ({ type, object }) => type === "updating" || (type === "deleting" && sendsOnDelete(object)),
  );
  const states = changing.flatMap(({ urn, requestId, object: changed }) => {
    const named = objects.filter((object) => object.urn === urn);
    // An update of a renamed resource has the new name, which its state gets when the update ends.
    const found = named.length > 0 ? named : objects.filter((object) => changed && isSameObject(object, changed));
    return found.find((object) => object.stateId === requestId) ?? found.find(({ deleted }) => !deleted) ?? [];
  });
  const ids = states.flatMap((object) => {
    const { stateId } = object;
    if (stateId === undefined) return [];
    return tried(() => memory.hasSentNothing(stateId, targetOf(object))) === true ? [] : [stateId];
  });
  return { [pendingVariable]: JSON.stringify(ids) };
}

/** False where the program made an id secret. */
const isSameObject = (object: ObjectState, { type, organization, id = "" }: PendingObject): boolean =>
  object.type === type && object.organization === organization && id !== "" && isSameId(object.id ?? "", id);

/**
 * What is pending before an update. Each question gets its first answer again, because the update adds what it sends itself. If the folder cannot be
 * read, nothing is pending: neither a command nor a run fails because of it.
 */
export function memoryOf(env: Environment, pending: Pending = {}): Memory {
  const requests = pendingRequestsOn({ ...env, ...pending });
  const answers = new Map<string, boolean>();
  const reason = whyForgetful(env);
  return {
    isPending(id, target) {
      const question = JSON.stringify([id, target.organization, target.address]);
      const answer = answers.get(question) ?? tried(() => requests.isPending(id, target)) ?? false;
      answers.set(question, answer);
      return answer;
    },
    problem: reason && cannotRemember(reason),
  };
}

/** The state in which an object is uncertain too if a pending request has started from it. */
export function withUncertain(state: StackState, env: Environment): StackState {
  const { isPending, problem } = memoryOf(env, pendingOf(state, env));
  const objects = state.objects.map((object) =>
    object.stateId !== undefined && isPending(object.stateId, targetOf(object))
      ? { ...object, uncertain: true }
      : object,
  );
  return { ...state, objects, isRunning: isRunning(state, env), ...(problem !== undefined && { memory: problem }) };
}

export const runningText =
  "a run of this stack is under way on this machine: what it is sending counts as uncertain until it has the answer, so wait for its end";

/** Whether a process of this machine is sending a request that started from a state of this stack. */
function isRunning({ objects }: StackState, env: Environment): boolean {
  const memory = pendingRequestsOn(env);
  return objects.some((object) => {
    const { stateId } = object;
    return stateId !== undefined && tried(() => memory.isUnderWay(stateId, targetOf(object))) === true;
  });
}

const targetOf = ({ organization, address = "" }: ObjectState): Target => ({ organization, address });
