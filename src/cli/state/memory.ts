/** What is pending: what this machine has begun, and the operations that an engine began on any machine. */
import { pendingVariable, pendingRequestsOn, whyForgetful } from "../../provider/pending.js";
import type { PendingRequests } from "../../lifecycle/context.js";
import { cannotRemember } from "../../lifecycle/pending.js";
import { tried } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import type { StackState } from "./state.js";

export interface Memory extends Pick<PendingRequests, "isPending"> {
  /** Why this machine cannot remember, as a sentence. */
  readonly problem?: string | undefined;
}

/** The variable that tells the provider what an engine that died on any machine may have sent: the ids of the states. */
export type Pending = Readonly<{ [pendingVariable]?: string }>;

/** Names the states that the pending operations change. A create starts from no state, and is sent again. */
export function pendingOf({ objects, pendingOperations }: StackState): Pending {
  const changing = pendingOperations.filter(({ type }) => type === "updating" || type === "deleting");
  const ids = changing.flatMap(({ urn, requestId }) => {
    const states = objects.filter((object) => object.urn === urn);
    const state = states.find((object) => object.requestId === requestId) ?? states.find(({ deleted }) => !deleted);
    return state?.requestId ?? [];
  });
  return { [pendingVariable]: JSON.stringify(ids) };
}

/**
 * What is pending before an update. Each question gets its first answer again, because the update adds what it sends itself. If the folder cannot be
 * read, nothing is pending: neither a command nor a run fails because of it.
 */
export function memoryOf(env: Environment, pending: Pending = {}): Memory {
  const requests = pendingRequestsOn({ ...env, ...pending });
  const answers = new Map<string, boolean>();
  const reason = whyForgetful(env);
  return {
    isPending(id) {
      const answer = answers.get(id) ?? tried(() => requests.isPending(id)) ?? false;
      answers.set(id, answer);
      return answer;
    },
    problem: reason && cannotRemember(reason),
  };
}

/** The state in which the objects that pending requests started from are uncertain too. */
export function withUncertain(state: StackState, env: Environment): StackState {
  const { isPending, problem } = memoryOf(env, pendingOf(state));
  const objects = state.objects.map((object) =>
    object.requestId !== undefined && isPending(object.requestId) ? { ...object, uncertain: true } : object,
  );
  return { ...state, objects, ...(problem !== undefined && { memory: problem }) };
}
