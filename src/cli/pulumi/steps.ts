/** The steps of a preview: what an update does to each state, from the engine's events, and the names of resources for people. */
import type { Values } from "../../values/any.js";
import { isInOrganization, organizationType, urnParts, withoutSecrets } from "../../values/engine.js";
import type { EngineEvent, EventState, StepMetadata } from "./events.js";

/** What a step does to a state. A replacement is one step here, and up to three in the engine. */
export type Op = "create" | "update" | "replace" | "delete" | "import";

export interface ResourceState {
  readonly type: string;
  /** False for a component and for the stack, which exist only in the engine. */
  readonly custom: boolean;
  /** URN of the parent, empty if there is none. */
  readonly parent: string;
  /** URN and id of the provider, empty if there is none. */
  readonly provider: string;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly retainOnDelete: boolean;
  readonly protect: boolean | undefined;
}

export interface Step {
  /** Undefined if the engine does nothing. */
  readonly op: Op | undefined;
  /** Whether the engine reports the resource as unchanged. It may still store new inputs. */
  readonly same: boolean;
  readonly urn: string;
  readonly type: string;
  readonly before: ResourceState | undefined;
  /** What the program declares; undefined for a state that is only refreshed or read, which the same run may delete. */
  readonly after: ResourceState | undefined;
}

/** The engine's operations; undefined for those that change nothing on a server. */
const ops = new Map<string, Op | undefined>([
  ["same", undefined],
  ["read", undefined],
  ["read-replacement", undefined],
  ["refresh", undefined],
  ["discard", undefined],
  ["discard-replaced", undefined],
  ["remove-pending-replace", undefined],
  ["diff", undefined],
  ["extend-parameterize", undefined],
  ["create", "create"],
  ["update", "update"],
  ["delete", "delete"],
  ["delete-replaced", "delete"],
  ["replace", "replace"],
  ["create-replacement", "replace"],
  ["import", "import"],
  ["import-replacement", "replace"],
]);

/** The steps, and whether each of them has a known operation and a state, and none is missing. */
export function stepsOf(events: readonly EngineEvent[]): { readonly steps: Step[]; readonly isRead: boolean } {
  const all = events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []);
  const known = all.filter(({ op, old, new: fresh }) => ops.has(op) && (old ?? fresh));
  const steps = wholeSteps(known.map((metadata) => ({ key: stateKey(metadata), step: stepOf(metadata) })));
  const counts = events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges ?? {};
  const isCounted = Object.entries(counts).some(([op, count]) => count > 0 && ops.get(op));
  const isMissing = isCounted && !steps.some(({ op }) => op);
  return { steps, isRead: known.length === all.length && !isMissing };
}

/** Identifies the state that an event is about: a URN may have several. */
const stateKey = ({ urn, old }: StepMetadata): string => JSON.stringify([urn, old?.id, old?.outputs]);

function stepOf({ op: engineOp, urn, old, new: fresh }: StepMetadata): Step {
  const op = ops.get(engineOp);
  const same = engineOp === "same";
  const isDeclared = op !== undefined || same;
  const before = old ? resourceState(old) : undefined;
  const after = fresh && isDeclared ? resourceState(fresh) : undefined;
  return { op, same, urn, type: (fresh ?? old)?.type ?? "", before, after };
}

function resourceState(state: EventState): ResourceState {
  const { type, custom, parent, provider, retainOnDelete, protect } = state;
  const inputs = withoutSecrets(state.inputs);
  const outputs = withoutSecrets(state.outputs);
  return { type, custom, parent, provider, inputs, outputs, retainOnDelete, protect };
}

/** One step for each operation of a state: of the engine's steps of a replacement, the last one that is no deletion. */
function wholeSteps(steps: readonly { readonly step: Step; readonly key: string }[]): Step[] {
  const replaced = new Set(steps.filter(({ step }) => step.op === "replace").map(({ key }) => key));
  const whole = new Map<string, Step>();
  for (const [index, { step, key }] of steps.entries()) {
    const { op, same, urn } = step;
    if (op === "delete") {
      // A replacement has one deletion. What else has the same key was left by an earlier replacement, and its deletion is a step.
      const isPart = replaced.delete(key);
      if (!isPart) whole.set(`delete ${index}`, step);
    } else {
      // A resource may be refreshed or read, which is no change, and then be reported as unchanged.
      const operation = op ?? (same ? "same" : "nothing");
      whole.set(`${operation} ${urn}`, step);
    }
  }
  return [...whole.values()];
}

const maxName = 80;

/** Gives each resource its name, without the organization's if there is only one. @param urns of the resources and their parents */
export function namesOf(urns: readonly string[]): (urn: string) => string {
  const [organization, ...others] = new Set(urns.filter((urn) => urnParts(urn).type === organizationType));
  const prefix = organization === undefined || others.length > 0 ? undefined : `${urnParts(organization).name}-`;
  return (urn) => {
    const { name } = urnParts(urn);
    const isEntry = prefix !== undefined && isInOrganization(urn) && name.startsWith(prefix);
    return (isEntry ? name.slice(prefix.length) : name).slice(0, maxName);
  };
}
