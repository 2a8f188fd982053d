/** What may have been sent and no state has: what this machine remembers, and the pending operations of the engine's state. */
import { pendingVariable, unsettledOn, whyForgetful } from "../../provider/unsettled.js";
import type { Unsettled } from "../../resources/lifecycle.js";
import { cannotRemember } from "../../resources/unsettled.js";
import { tried } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import type { ObjectState, StackState } from "./state.js";

export interface Memory extends Pick<Unsettled, "isOpen"> {
  /** Why this machine cannot remember, as a sentence. */
  readonly problem?: string | undefined;
}

/** What an engine that died on any machine may have sent, as the provider reads it: a list of the rows' ids. */
export type Pending = Readonly<{ [pendingVariable]?: string }>;

/** The row that a pending operation changes. A create starts from no row, and is sent again. */
function pendingRows({ objects, pendingOperations }: StackState): ObjectState[] {
  return pendingOperations.flatMap(({ type, urn, requestId }) => {
    const rows = objects.filter((object) => object.urn === urn);
    const row = rows.find((object) => object.requestId === requestId) ?? rows.find(({ deleted }) => !deleted);
    return row && ["updating", "deleting"].includes(type) ? [row] : [];
  });
}

export const pendingOf = (state: StackState): Pending => ({
  [pendingVariable]: JSON.stringify(pendingRows(state).flatMap(({ requestId = [] }) => requestId)),
});

/** It answers each question as it did first: an update adds what it sends itself. What cannot be read ends no command, as it ends no run. */
export function memoryOf(env: Environment, pending: Pending = {}): Memory {
  const unsettled = unsettledOn({ ...env, ...pending });
  const answers = new Map<string, boolean>();
  const reason = whyForgetful(env);
  return {
    isOpen(id) {
      const answer = answers.get(id) ?? tried(() => unsettled.isOpen(id)) ?? false;
      answers.set(id, answer);
      return answer;
    },
    problem: reason && cannotRemember(reason),
  };
}

/** The state, with the objects as uncertain that the next update will send again because of a run that died, here or elsewhere. */
export function withDoubts(state: StackState, env: Environment): StackState {
  const { isOpen, problem } = memoryOf(env, pendingOf(state));
  const objects = state.objects.map((object) =>
    object.requestId !== undefined && isOpen(object.requestId) ? { ...object, uncertain: true } : object,
  );
  return { ...state, objects, ...(problem !== undefined && { memory: problem }) };
}
