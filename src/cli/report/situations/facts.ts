/** What a step of this package's resources says by itself, with the settings of its provider. */
import type { Edit } from "../../../lifecycle/effects/guards.js";
import type { Lifecycle } from "../../../lifecycle/lifecycle.js";
import type { OrganizationScoped } from "../../../lifecycle/object.js";
import { markedIfPending } from "../../../lifecycle/pending.js";
import type { PlaceOf } from "../../../organization-file/places.js";
import { textIn, type Values } from "../../../values/any.js";
import type { Step } from "../../pulumi/steps.js";
import type { Memory } from "../../state/memory.js";
import { editsOf } from "./diff.js";
import { providerName, type AddressOf } from "./providers.js";
import { declarationOf, lifecycleOf } from "./resources.js";
import { safeName } from "../../output.js";

export interface StepFacts {
  /** With its old state as the provider sees it, which is uncertain if a request that started from it is pending. */
  readonly step: Step;
  readonly lifecycle: Lifecycle;
  readonly name: string;
  readonly place: string | undefined;
  /** What is declared; of a removed resource, its state. */
  readonly values: Values;
  /** The inputs that the user changed. */
  readonly edits: readonly Edit[];
  readonly isUpdate: boolean;
  readonly oldProvider: string;
  readonly newProvider: string;
  /** Where the requests for the old state went; undefined if no value says it. */
  readonly oldAddress: string | undefined;
  readonly newAddress: string | undefined;
}

export interface RunFacts {
  readonly nameOf: (urn: string) => string;
  readonly placeOf: PlaceOf;
  readonly memory: Memory;
}

/** Undefined for a step of another package. */
export function factsOf(
  ofEngine: Step,
  isUpdate: boolean,
  addressOf: Readonly<Record<"before" | "after", AddressOf>>,
  { nameOf, placeOf, memory }: RunFacts,
): StepFacts | undefined {
  const lifecycle = lifecycleOf(ofEngine.type);
  if (!lifecycle) return undefined;
  const step = asProviderSees(ofEngine, lifecycle, memory);
  const { urn, before, after } = step;
  const edits = editsOf(before?.inputs ?? {}, after?.inputs ?? {});
  // Every argument of a new resource is an edit, so its place is the line of its name.
  const edited = before ? edits.map(({ property }) => property) : [];
  const { type, identity } = lifecycle;
  return {
    step,
    lifecycle,
    name: safeName(nameOf(urn)),
    place: after && placeOf({ type, ...declarationOf(urn, after.parent), id: after.inputs[identity], edited }),
    values: after?.inputs ?? before?.outputs ?? {},
    edits,
    isUpdate,
    oldProvider: providerName(before?.provider ?? ""),
    newProvider: providerName(after?.provider ?? ""),
    oldAddress: before && addressOf.before(before, before.outputs.address, before.inputs.address),
    newAddress: after && addressOf.after(after, after.inputs.address),
  };
}

function asProviderSees(step: Step, lifecycle: Lifecycle, memory: Memory): Step {
  const { before, after } = step;
  if (!before) return step;
  const state = before.outputs as Values & OrganizationScoped;
  // The provider asks with the address that it has now. Without one, only what an engine has left is pending.
  const address = textIn(after?.inputs ?? {}, "address") ?? textIn(state, "address") ?? "";
  const target = { organization: textIn(state, "organization") ?? "", address };
  return { ...step, before: { ...before, outputs: markedIfPending(memory, lifecycle, state, target) } };
}
