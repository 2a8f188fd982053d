/** Objects that the program declares under another name, and the commands that give their rows of the state the new names. */
import { dryRun } from "../../resources/dry-run.js";
import { effect, type Effect } from "../../resources/effects/effect.js";
import type { Lifecycle } from "../../resources/lifecycle.js";
import type { Step } from "../pulumi/preview-or-update.js";
import type { PreviewContext } from "./preview-context.js";
import { wholeNameIn } from "./resources.js";
import { code, plainName, secretsAsUnknown } from "./text.js";

interface Rename {
  readonly from: Step;
  readonly to: Step;
}

export async function renameEffects(step: Step, lifecycle: Lifecycle, context: PreviewContext): Promise<Effect[]> {
  const path = pathFrom(step, context);
  const [own, last] = [path[0], path.at(-1)];
  if (!own || !last) return [];
  const nameOf = ({ urn }: Step) => plainName(context.nameOf(urn));
  const isCycle = last.to === step;
  // Said once, by the first of a cycle or by the name that is given up.
  if (isCycle && path.some(({ from }) => from.urn < step.urn)) return [];
  if (step.op === "replace" && !isCycle) return [effect(`the former ${nameOf(step)} renamed to ${nameOf(own.to)}`)];
  const isAsked = !context.isUpdate && path.every(isSameOrganization);
  const saved = isAsked ? new Set((await Promise.all(path.map((rename) => savedBy(rename, lifecycle)))).flat()) : [];
  const why = [...saved].sort().join(" and to ");
  const end = why === "" ? "" : `: ${remedyFor(path, isCycle)} to ${why}`;
  if (isCycle) return [effect(`${path.map(({ from }) => nameOf(from)).join(", ")} change places${end}`)];
  return [effect(`renamed to ${nameOf(own.to)}, and sends nothing for the old name${end}`)];
}

/** Renames that depend on each other: each one takes the name that the next one gives up. Empty if the last name is not free. */
function pathFrom(step: Step, { renamedTo }: PreviewContext): Rename[] {
  const path: Rename[] = [];
  for (let from = step; !path.some((rename) => rename.from === from); from = path.at(-1)?.to ?? step) {
    const to = renamedTo(from);
    if (!to) return [];
    path.push({ from, to });
    if (to.op === "create" || to === step) return path;
  }
  return [];
}

/** Under another organization it is another object for the engine, even with an alias. */
const isSameOrganization = ({ from, to }: Rename): boolean =>
  from.before?.inputs.organization === to.after?.inputs.organization;

/** The last rename first: each one needs a name that no row has. */
function remedyFor(path: readonly Rename[], isCycle: boolean): string {
  const line = (urn: string, name: string) => code(`pulumi state rename '${urn}' ${name}`);
  const lines = path.map(({ from, to }) => line(from.urn, wholeNameIn(to.urn))).reverse();
  const [first] = path;
  if (isCycle && first) {
    const temporary = `${wholeNameIn(first.from.urn)}-moving`;
    lines.unshift(line(first.from.urn, temporary));
    lines.splice(-1, 1, line(qualifiedType(first.from.urn) + temporary, wholeNameIn(first.to.urn)));
  }
  const commands = lines.join(", then ");
  if (path.every(isPossible) && commands.length <= maxCommands) return `run ${commands} before the update`;
  return path.length === 1 ? "add an alias in the program" : "rename them in the state before the update";
}

/** Leaves room for the names in a text. */
const maxCommands = 1500;

/** Only the name differs, and the line is safe to paste into a shell. */
function isPossible({ from, to }: Rename): boolean {
  const isPlain = /^[\w$:/.-]{1,600}$/.test(from.urn) && /^\w[\w.-]{0,99}$/.test(wholeNameIn(to.urn));
  return from.before?.parent === to.after?.parent && qualifiedType(from.urn) === qualifiedType(to.urn) && isPlain;
}

const qualifiedType = (urn: string): string => urn.slice(0, urn.length - wholeNameIn(urn).length);

async function savedBy({ from: { before }, to: { after } }: Rename, lifecycle: Lifecycle): Promise<string[]> {
  if (!before || !after) return [];
  const values = { state: before.outputs, inputs: secretsAsUnknown(after.inputs) };
  const created = await dryRun(lifecycle, { verb: "create", ...values });
  const isAvoided = created?.length !== 0 && (await dryRun(lifecycle, { verb: "update", ...values }))?.length === 0;
  if (!isAvoided && lifecycle.identity === "resource") return ["keep the guard for fewer days"];
  return [
    ...(isAvoided ? ["avoid the request"] : []),
    ...(before.outputs.secret === undefined ? [] : ["keep the secret in the state"]),
  ];
}
