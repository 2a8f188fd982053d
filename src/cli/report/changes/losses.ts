/** Secrets of which a step would drop the only copy: the update is refused. */
import { withCode } from "../../../values/diagnostic.js";
import type { SecretCopy } from "../../../lifecycle/readers.js";
import { parenthesized, safeText } from "../../output.js";
import { sendsRequest } from "../situations/planned.js";
import type { Situation } from "../situations/situations.js";
import { hasSecret, isSameOrganization, remedyFor, type Rename } from "./renames.js";

const maxLoss = 1000;

export const lossLines = (situations: readonly Situation[]): string[] =>
  [...droppedSecrets(situations), ...refusedDeletes(situations)].map((line) => safeText(line, maxLoss));

/** A line for each state whose secret the engine could drop without asking the provider. Providers do not see the option, so the report refuses it. */
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
    const isLost = hasSecret(from) && isSameOrganization({ from, to }) && !getsSecret(to);
    if (!isLost) return [];
    return [
      `${name}: only this state has ${secretCopy.what}, so the update is refused: ${howToKeep({ from, to }, secretCopy)}`,
    ];
  });
}

function howToKeep({ from, to }: Rename, { renewal, declaration }: SecretCopy): string {
  if (from.step.urn === to.step.urn) return renewal;
  // A resource that had another object has a state of its own, and cannot take over this one.
  if (to.step.op === "replace") return declaration;
  const remedy = remedyFor({ from, to });
  if (to.step.op === "create") return remedy;
  return `go back to its former name, run \`pulumi up\`, which sends nothing, and ${remedy}`;
}

/** Whether the resource that declares the object has its secret after the update: from a request, the program, or its own state of the object. */
function getsSecret(to: Situation): boolean {
  const { step, lifecycle, planned } = to;
  const isDeclared = lifecycle.secrets?.some((key) => step.after?.inputs[key] !== undefined) === true;
  return isDeclared || [planned.create, planned.update].some(sendsRequest) || (to.declarer === to && hasSecret(to));
}
