/** What the verbs of a step send, by a dry run of its lifecycle. */
import { dryRun, type Planned, type Verb } from "../../../lifecycle/dry-run.js";
import type { Lifecycle } from "../../../lifecycle/lifecycle.js";
import { textIn } from "../../../values/any.js";
import type { ResourceState } from "../../pulumi/steps.js";
import type { StepFacts } from "./facts.js";
import type { Links } from "./links.js";
import type { Moves } from "./moves.js";
import { secretsAsUnknown } from "../../../values/engine.js";

/** A verb that the step does not call sends nothing. */
export interface PlannedVerbs {
  readonly create: Planned;
  readonly update: Planned;
  readonly delete: Planned;
  /** What an update for no visible reason sends if a hidden value makes the old state uncertain. */
  readonly updateIfUncertain: Planned;
  /** What an update of a renamed object would send if an alias gave the old state to the new name. */
  readonly renamed: Planned;
}

const nothing: Planned = { requests: [], isReadable: true };

export const sendsNothing = ({ requests }: Planned): boolean => requests.length === 0;

/** Runs the verbs of a step that may send, each of them once. */
export async function plannedOf(facts: StepFacts, links: Links, moves: Moves): Promise<PlannedVerbs> {
  const { step, lifecycle } = facts;
  const { op, before, after } = step;
  const planned = (verb: Verb, declared = after, state = before?.outputs ?? {}) => {
    const inputs = secretsAsUnknown(declared?.inputs ?? {});
    const address = verb === "delete" ? moves.presentAddress : textIn(inputs, "address");
    return dryRun(lifecycle, { verb, state, olds: before?.inputs, inputs, address });
  };
  // The create of a replacement knows the old state only if the provider was asked for a difference in the same run.
  const isDiffed = step.diffed && before !== undefined && after !== undefined && isOneObject(lifecycle, before, after);
  const isCreated = op === "create" || op === "replace";
  const isLeft = before?.retainOnDelete === true || moves.isOfOtherOrganization;
  const isDeleted = (op === "delete" || op === "replace") && before !== undefined && !links.declarer && !isLeft;
  const update = op === "update" ? await planned("update") : nothing;
  const isUnexplained = op === "update" && sendsNothing(update) && isWithoutReason(facts, moves);
  const uncertain = { ...before?.outputs, ...lifecycle.mark };
  return {
    create: isCreated ? await planned(op === "replace" && isDiffed ? "replace" : "create") : nothing,
    update,
    updateIfUncertain: isUnexplained ? await planned("update", after, uncertain) : nothing,
    delete: isDeleted ? await planned("delete") : nothing,
    renamed: links.renamedTo ? await planned("update", links.renamedTo.step.after) : nothing,
  };
}

const isWithoutReason = ({ edits, oldProvider, newProvider }: StepFacts, { isMoved }: Moves): boolean =>
  edits.length === 0 && !isMoved && oldProvider === newProvider;

function isOneObject({ identity }: Lifecycle, before: ResourceState, after: ResourceState): boolean {
  return ["organization", identity].every((key) => before.outputs[key] === after.inputs[key]);
}
