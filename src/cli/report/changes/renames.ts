/** Objects that the program declares under another name, and how their new names can keep the states. */
import { compact } from "../../../values/any.js";
import { effect, type Effect } from "../../../lifecycle/effects/effect.js";
import { aliasAdvice, entryAdvice } from "../../../resources/rename-advice.js";
import { declarationOf, isUnderStack } from "../situations/resources.js";
import { sendsNothing } from "../situations/planned.js";
import type { Situation } from "../situations/situations.js";
import { parenthesized, safeText } from "../../output.js";

interface Rename {
  readonly from: Situation;
  readonly to: Situation;
}

export function renameEffects(situation: Situation): Effect[] {
  const path = pathFrom(situation);
  const [first] = path;
  if (!first) return [];
  const { step, name, isUpdate } = situation;
  const isCycle = path.at(-1)?.to === situation;
  // It is reported once: by the first resource of a cycle, or by the resource whose name is given up.
  if (isCycle && path.some(({ from }) => from.step.urn < step.urn)) return [];
  if (step.op === "replace" && !isCycle) return [effect(`the former ${name} renamed to ${first.to.name}`)];
  const canKeepStates = !isUpdate && path.every(isSameOrganization);
  const purposes = canKeepStates ? path.flatMap(purposesOf) : [];
  const why = [...new Set(purposes)].sort().join(" and to ");
  const remedy = why === "" ? "" : `: ${path.length > 1 ? inTwoSteps : remedyFor(first)} to ${why}`;
  if (isCycle) return [effect(`${path.map(({ from }) => from.name).join(", ")} change places${remedy}`)];
  return [effect(renameText(first) + remedy)];
}

/** Such as "renamed to crm, and sends nothing for the old name". */
function renameText({ from, to }: Rename): string {
  const [old, fresh] = [declarationBefore(from), declarationAfter(to)];
  const isSameName = from.name === to.name;
  if (old.organization === fresh.organization || (fresh.organization === undefined && !isSameName))
    return `renamed to ${to.name}, and sends nothing for the old name`;
  const name = isSameName ? "" : `${to.name}, `;
  const where = fresh.organization === undefined ? "outside its Organization" : `an entry of ${fresh.organization}`;
  return `now ${name}${safeText(where)}, and sends nothing for the old resource`;
}

const declarationBefore = ({ step }: Situation) => declarationOf(step.urn, step.before?.parent);
const declarationAfter = ({ step }: Situation) => declarationOf(step.urn, step.after?.parent);

/** An alias cannot take over a state whose name the program still declares. */
const inTwoSteps = "rename them in two steps, first to names that nothing has,";

/** Whether the old state has a secret, or an answer that may contain it. */
export const hasSecret = ({ step: { before }, lifecycle: { secretCopy } }: Situation): boolean =>
  before !== undefined && secretCopy?.isIn(before.outputs) === true;

/** The renames that must be done together: each takes the name that the next one gives up. Empty if the last name is not given up. */
function pathFrom(situation: Situation): Rename[] {
  const path: Rename[] = [];
  let from = situation;
  while (!path.some((rename) => rename.from === from)) {
    const to = from.renamedTo;
    if (!to) return [];
    path.push({ from, to });
    if (to.step.op === "create" || to === situation) return path;
    from = to;
  }
  return [];
}

/** An object of another organization is another one for the engine, even with an alias. */
export const isSameOrganization = ({ from, to }: Rename): boolean =>
  from.step.before?.inputs.organization === to.step.after?.inputs.organization;

/** Such as "add `formerly: crm-x` to crm (organization.yaml:9)". */
export const remedyFor = ({ from, to }: Rename): string => safeText(adviceFor(from, to)) + parenthesized(to.place);

function adviceFor(from: Situation, to: Situation): string {
  const [old, fresh] = [declarationBefore(from), declarationAfter(to)];
  if (fresh.key === undefined) {
    const isSameParent = from.step.before?.parent === to.step.after?.parent;
    return isSameParent ? aliasAdvice(fresh.name, old.name) : `add the alias \`${from.step.urn}\` to ${fresh.name}`;
  }
  if (old.organization === fresh.organization) return entryAdvice(fresh.key, old.key ?? old.name);
  if (old.organization !== undefined)
    return aliasAdvice(`the Organization ${fresh.organization ?? ""}`, old.organization);
  if (isUnderStack(from.step.urn)) return entryAdvice(fresh.key, old.name);
  return "move it in two steps, first out of its component with an alias, and then";
}

/** What the new name would keep the state for. */
function purposesOf({ from, to }: Rename): string[] {
  const { comparison } = from.lifecycle;
  const avoidsRequest = !sendsNothing(to.planned.create) && sendsNothing(from.planned.renamed);
  if (!avoidsRequest && comparison !== undefined) return [`keep ${comparison}`];
  return compact(avoidsRequest && "avoid the request", hasSecret(from) && "keep the secret in the state");
}
