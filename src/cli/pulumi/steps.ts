/** The steps of a preview or an update: what it does to each state, from the engine's events. */
import { compact, type Values } from "../../values/any.js";
import { withoutSecrets } from "../../values/engine.js";
import { unsupportedFormat, type EngineEvent, type EventState, type StepMetadata } from "./events.js";

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
  /** Whether the provider was asked for a difference. It is not for `--replace` and a taint. */
  readonly diffed: boolean;
  readonly urn: string;
  readonly type: string;
  readonly before: ResourceState | undefined;
  /** What the program declares; undefined for a state that is only refreshed or read, which the same run may delete. */
  readonly after: ResourceState | undefined;
  /** Whether the step of an update failed or was interrupted. */
  readonly unfinished: boolean;
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

/**
 * @param isUpdate whether the events are of an update: no step of a preview is unfinished
 * @throws OutputError if an event has an unknown operation
 */
export function stepsOf(events: readonly EngineEvent[], isUpdate: boolean, succeeded: boolean): Step[] {
  const metadataOf = (member: "resourcePreEvent" | "resOutputsEvent" | "resOpFailedEvent") =>
    events.flatMap((event) => event[member]?.metadata ?? []);
  const endedKeys = new Set(metadataOf("resOutputsEvent").map(stateKey));
  const failedKeys = new Set(metadataOf("resOpFailedEvent").map(stateKey));
  const started = metadataOf("resourcePreEvent").map((metadata) => {
    const key = stateKey(metadata);
    const unfinished = isUpdate && (failedKeys.has(key) || (!succeeded && !endedKeys.has(key)));
    return { key, step: { ...stepOf(metadata), unfinished } };
  });
  return wholeSteps(started);
}

/** @throws OutputError if the summary counts changes, and there are no steps for them */
export function requireSteps(steps: readonly Step[], counts: Readonly<Record<string, number>>): void {
  const countsChanges = Object.entries(counts).some(([op, count]) => count > 0 && ops.get(op));
  if (countsChanges && !steps.some(({ op }) => op))
    throw unsupportedFormat("it counts changes, but has no steps for them");
}

/** Whether all events of steps have an operation that this version knows, and a state. */
export const hasKnownSteps = ({ resourcePreEvent, resOutputsEvent, resOpFailedEvent }: EngineEvent): boolean =>
  compact(resourcePreEvent, resOutputsEvent, resOpFailedEvent).every(
    ({ metadata }) => ops.has(metadata.op) && Boolean(metadata.old ?? metadata.new),
  );

/** Identifies the state that an event is about: a URN may have several. */
const stateKey = ({ urn, old }: StepMetadata): string => JSON.stringify([urn, old?.id, old?.outputs]);

function stepOf({ op: engineOp, urn, diffs, old, new: fresh }: StepMetadata): Omit<Step, "unfinished"> {
  if (!ops.has(engineOp)) throw unsupportedFormat("a step has an operation that is not known");
  const type = (fresh ?? old)?.type;
  if (type === undefined) throw unsupportedFormat("a step has neither an old nor a new state");
  const op = ops.get(engineOp);
  const same = engineOp === "same";
  const isDeclared = op !== undefined || same;
  const before = old ? resourceState(old) : undefined;
  const after = fresh && isDeclared ? resourceState(fresh) : undefined;
  return { op, same, diffed: (diffs ?? []).length > 0, urn, type, before, after };
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
