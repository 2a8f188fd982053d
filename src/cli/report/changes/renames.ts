/** Objects that the program declares under another name, and how their new names can keep the states. */
import { compact } from "../../../values/any.js";
import { effect, type Effect } from "../../../lifecycle/effects/effect.js";
import { aliasAdvice, entryAdvice } from "../../../resources/rename-advice.js";
import { declarationOf, isUnderStack } from "../situations/resources.js";
import { sendsRequest } from "../situations/planned.js";
import type { Situation } from "../situations/situations.js";
import { parenthesized, safeText } from "../../output.js";

/** An object that the resource `from` had, and the resource `to` declares. */
export interface Rename {
  readonly from: Situation;
  readonly to: Situation;
}

export function renameEffects(situation: Situation): Effect[] {
  const path = pathFrom(situation);
  const [first] = path;
  if (!first) return [];
  const { step, name } = situation;
  if (path.at(-1)?.to === situation) {
    // A cycle is reported once, by the first of its resources.
    if (path.some(({ from }) => from.step.urn < step.urn)) return [];
    const names = path.map(({ from }) => from.name).join(", ");
    return [effect(`${names} change places${adviceText(path)}`)];
  }
  // The resource whose name is given up says the rest.
  if (step.op === "replace") return [effect(`the former ${name} renamed to ${first.to.name}`)];
  return [effect(renameText(first) + adviceText(path))];
}

/** Such as ": add `formerly: crm` to payments to avoid the request"; empty if nothing can be kept any more. */
function adviceText(path: readonly Rename[]): string {
  const [first, second] = path;
  if (!first || first.from.isUpdate || !path.every(isSameOrganization)) return "";
  const purposes = [...new Set(path.flatMap(purposesOf))].sort();
  if (purposes.length === 0) return "";
  return `: ${second ? inTwoSteps : remedyFor(first)} to ${purposes.join(" and to ")}`;
}

/** Such as "renamed to crm, and sends nothing for the old name". */
function renameText({ from, to }: Rename): string {
  const oldOrganization = declarationBefore(from).organization;
  const { organization } = declarationAfter(to);
  const isSameName = from.name === to.name;
  const isRenamedOut = organization === undefined && !isSameName;
  if (oldOrganization === organization || isRenamedOut)
    return `renamed to ${to.name}, and sends nothing for the old name`;
  const name = isSameName ? "" : `${to.name}, `;
  const where = organization === undefined ? "outside its Organization" : `an entry of ${organization}`;
  return `now ${name}${safeText(where)}, and sends nothing for the old resource`;
}

const declarationBefore = ({ step }: Situation) => declarationOf(step.urn, step.before?.parent);
const declarationAfter = ({ step }: Situation) => declarationOf(step.urn, step.after?.parent);

/** An alias cannot take over a state whose name the program still declares. */
const inTwoSteps = "rename them in two steps, first to names that nothing has,";

/** Whether the old state has a secret, or an answer that may contain it. */
export const hasSecret = ({ step: { before }, lifecycle: { secretCopy } }: Situation): boolean =>
  before !== undefined && secretCopy?.isIn(before.outputs) === true;

/**
 * The renames that must be done together, from this resource on: each takes the name that the next one gives up. Empty if it is not renamed, or if a
 * later resource takes a name that no rename gives up.
 */
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
  const old = declarationBefore(from);
  const { name, organization = "", key } = declarationAfter(to);
  if (key === undefined) {
    const isSameParent = from.step.before?.parent === to.step.after?.parent;
    return isSameParent ? aliasAdvice(name, old.name) : `add the alias \`${from.step.urn}\` to ${name}`;
  }
  if (old.organization === organization) return entryAdvice(key, old.key ?? old.name);
  if (old.organization !== undefined) return aliasAdvice(`the Organization ${organization}`, old.organization);
  if (isUnderStack(from.step.urn)) return entryAdvice(key, old.name);
  return `move it in two steps, first out of its component with an alias, and then into ${organization}`;
}

/** What the new name would keep the state for. */
function purposesOf({ from, to }: Rename): string[] {
  const { comparison } = from.lifecycle;
  const avoidsRequest = sendsRequest(to.planned.create) && !sendsRequest(from.planned.updateIfAliased);
  return compact(
    avoidsRequest && "avoid the request",
    !avoidsRequest && comparison !== undefined && `keep ${comparison}`,
    hasSecret(from) && "keep the secret in the state",
  );
}
