/** What the verbs of a step send, by a dry run of its lifecycle. */
import { dryRun, type Planned, type Verb } from "../../../lifecycle/dry-run.js";
import type { Lifecycle } from "../../../lifecycle/lifecycle.js";
import { textIn } from "../../../values/any.js";
import { secretsAsUnknown } from "../../../values/engine.js";
import type { Step } from "../../pulumi/steps.js";
import type { StepFacts } from "./facts.js";
import type { Links } from "./links.js";
import type { Moves } from "./moves.js";

/** A verb that the step does not call sends nothing. */
export interface PlannedVerbs {
  readonly create: Planned;
  readonly update: Planned;
  readonly delete: Planned;
  /** What an update that seems to send nothing sends if a hidden value makes the old state uncertain. */
  readonly updateIfUncertain: Planned;
  /** What an update of a renamed object would send if an alias gave the old state to the new name. */
  readonly updateIfAliased: Planned;
}

const nothing: Planned = { requests: [], isReadable: true };

export const sendsRequest = ({ requests }: Planned): boolean => requests.length > 0;

/** Runs the verbs of a step that may send, each of them once. */
export async function plannedOf(facts: StepFacts, links: Links, moves: Moves): Promise<PlannedVerbs> {
  const { step, lifecycle } = facts;
  const { op, before, after } = step;
  const planned = (verb: Verb, state = before?.outputs ?? {}, declared = after) => {
    const inputs = secretsAsUnknown(declared?.inputs ?? {});
    const address = verb === "delete" ? moves.presentAddress : textIn(inputs, "address");
    return dryRun(lifecycle, { verb, state, olds: before?.inputs, inputs, address });
  };
  const { renamedTo } = links;
  const isRetained = before?.retainOnDelete === true || moves.isOfOtherOrganization;
  const isDeleted = (op === "delete" || op === "replace") && before !== undefined && !links.declarer && !isRetained;
  const update = op === "update" ? await planned("update") : nothing;
  const isUnsent = op === "update" && !sendsRequest(update);
  return {
    create: op === "create" || op === "replace" ? await planned(createVerb(step, lifecycle)) : nothing,
    update,
    updateIfUncertain: isUnsent ? await planned("update", { ...before?.outputs, ...lifecycle.mark }) : nothing,
    delete: isDeleted ? await planned("delete") : nothing,
    updateIfAliased: renamedTo ? await planned("update", before?.outputs, renamedTo.step.after) : nothing,
  };
}

/** The create of a replacement knows the old state only if the provider was asked for a difference of the same object in the same run. */
function createVerb({ op, diffed, before, after }: Step, { identity }: Lifecycle): Verb {
  const isSameObject = ["organization", identity].every((key) => before?.outputs[key] === after?.inputs[key]);
  return op === "replace" && diffed && before && after && isSameObject ? "replace" : "create";
}
