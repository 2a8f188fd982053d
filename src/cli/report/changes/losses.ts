/** Secrets of which a step would drop the only copy: the update is refused. */
import { withCode } from "../../../values/diagnostic.js";
import { parenthesized, safeText } from "../../output.js";
import { sendsNothing } from "../situations/planned.js";
import type { Situation } from "../situations/situations.js";
import { hasSecret, isSameOrganization, remedyFor } from "./renames.js";

const maxLoss = 1000;

export const lossLines = (situations: readonly Situation[]): string[] =>
  [...droppedSecrets(situations), ...refusedDeletes(situations)].map((line) => safeText(line, maxLoss));

/** A line for each state whose secret the engine could drop without asking the provider. No provider sees the option of a single resource. */
function droppedSecrets(situations: readonly Situation[]): string[] {
  return situations.flatMap(({ step: { op, before, after }, lifecycle, name, place, isUpdate }) => {
    const isRetained = after?.retainOnDelete === true || (op === "replace" && before?.retainOnDelete === true);
    if (!isRetained || !lifecycle.secretCopy || isUpdate) return [];
    const text =
      "with retainOnDelete, the engine can drop the only stored copy of the secret without asking the provider";
    const advice = withCode(`${text}: remove the option, in an update of its own`, "option-loses-secret");
    return [`${name}${parenthesized(place)}: ${advice}`];
  });
}

/** A line for each delete that the update would refuse, because the declared resource does not get the only copy of a secret. */
function refusedDeletes(situations: readonly Situation[]): string[] {
  return situations.flatMap((from) => {
    const { step, lifecycle, name, declarer: to, isUpdate } = from;
    const { secretCopy } = lifecycle;
    if (step.op !== "delete" || isUpdate || !to || !secretCopy) return [];
    if (!hasSecret(from) || !isSameOrganization({ from, to })) return [];
    const { create, update } = to.planned;
    const isRenewed = ![create, update].every(sendsNothing);
    const isDeclared = lifecycle.secrets?.some((key) => to.step.after?.inputs[key] !== undefined);
    if (isRenewed || isDeclared === true || hasSecret(to)) return [];
    const goBack =
      to.step.op === "create" ? "" : "go back to its former name, run `pulumi up`, which sends nothing, and ";
    const remedy = step.urn === to.step.urn ? secretCopy.renewal : goBack + remedyFor({ from, to });
    return [`${name}: only this state has ${secretCopy.what}, so the update is refused: ${remedy}`];
  });
}
