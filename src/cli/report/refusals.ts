/** Why an update must not begin, although the engine would begin it: what it would lose or send is seen only from all steps of a run. */
import { withCode } from "../../values/diagnostic.js";
import { parenthesized, safeText } from "../output.js";
import { renameAdvice } from "./sentences.js";
import type { Situation } from "./situations.js";

const maxRefusal = 1000;

export const refusalLines = (situations: readonly Situation[]): string[] =>
  situations
    .flatMap((each) => [...optionThatDrops(each), ...renameThatLoses(each), ...deleteOfDeclared(each, situations)])
    .map((line) => safeText(line, maxRefusal));

/** With this option, the engine drops a state without asking the provider. Providers do not see the option. */
function optionThatDrops({ step: { op, before, after }, lifecycle, name, place }: Situation): string[] {
  const isRetained = after?.retainOnDelete === true || (op === "replace" && before?.retainOnDelete === true);
  if (!isRetained || !lifecycle.secretCopy) return [];
  const text =
    "with retainOnDelete, the engine can drop the only stored copy of the secret without asking the provider";
  const advice = withCode(`${text}: remove the option, in an update of its own`, "loses-secret");
  return [`${name}${parenthesized(place)}: ${advice}`];
}

/** A rename that adopts: the old name's state has the only copy of a secret, which the new one neither gets nor replaces. */
function renameThatLoses({ step, lifecycle, name, declarer: to }: Situation): string[] {
  const { secretCopy, secrets = [] } = lifecycle;
  if (step.op !== "delete" || !step.before || !to || secretCopy?.isIn(step.before.outputs) !== true) return [];
  const isDeclared = secrets.some((key) => to.declared?.[key] !== undefined);
  const isReplaced = [to.planned.create, to.planned.update].some((requests = []) => requests.length > 0);
  const hasOwn = to.step.op !== "create" && to.step.before !== undefined && secretCopy.isIn(to.step.before.outputs);
  if (isDeclared || isReplaced || hasOwn) return [];
  // Where the new name has a state already, an alias comes too late.
  const remedy =
    to.step.op === "create"
      ? renameAdvice(step, to.step, to.place)
      : `change triggers of ${to.name}, which rotates${parenthesized(to.place)}`;
  const text = `only this state has the secret of this webhook, so the update is refused: ${remedy}`;
  return [`${name}: ${withCode(text, "loses-secret")}`];
}

/** A Provider with another name is another organization, whose resources the provider of the old one does not see. */
function deleteOfDeclared(from: Situation, situations: readonly Situation[]): string[] {
  const { step, lifecycle, name, planned, presentAddress } = from;
  if ((planned.delete ?? []).length === 0) return [];
  const id = step.before?.outputs[lifecycle.identity];
  const to = situations.find(
    ({ lifecycle: { type }, declared, step: { op } }) =>
      (op === "create" || op === "replace") &&
      type === lifecycle.type &&
      declared?.[lifecycle.identity] === id &&
      declared?.organization !== step.before?.outputs.organization &&
      declared?.address === presentAddress,
  );
  if (!to) return [];
  const text =
    `its \`onDelete\` would be sent after ${to.name} has set the same object of another organization at the same address: ` +
    'set `onDelete` to "retain", update, and then rename the Provider';
  return [`${name}${parenthesized(from.place)}: ${withCode(text, "organization-changed")}`];
}
