/** Objects that the program declares under another name, and how to keep their rows of the state. */
import { dryRun } from "../../resources/dry-run.js";
import { effect, type Effect } from "../../resources/effects/effect.js";
import { renameAdvice } from "../../resources/rename-advice.js";
import type { Lifecycle } from "../../resources/lifecycle.js";
import type { Step } from "../pulumi/preview-or-update.js";
import type { PreviewContext } from "./preview-context.js";
import { declarationOf, ownSteps } from "./resources.js";
import { plain, plainName, secretsAsUnknown } from "./text.js";

interface Rename {
  readonly from: Step;
  readonly to: Step;
}

type PlaceOf = (step: Step, lifecycle: Lifecycle) => string | undefined;

export async function renameEffects(
  step: Step,
  lifecycle: Lifecycle,
  context: PreviewContext,
  placeOf: PlaceOf,
): Promise<Effect[]> {
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
  const end = why === "" ? "" : `: ${path.length > 1 ? inTwoSteps : remedyFor(own, lifecycle, placeOf)} to ${why}`;
  if (isCycle) return [effect(`${path.map(({ from }) => nameOf(from)).join(", ")} change places${end}`)];
  return [effect(`renamed to ${nameOf(own.to)}, and sends nothing for the old name${end}`)];
}

/** An alias names a row whose name is free. */
const inTwoSteps = "rename them in two steps, first to names that nothing has,";

/** Deletes that the update would refuse, because the declared row does not get the only copy of a secret. One line for each. */
export async function refusedDeletes(
  steps: readonly Step[],
  context: PreviewContext,
  placeOf: PlaceOf,
): Promise<string[]> {
  const lines = ownSteps(steps).map(async ({ step: from, lifecycle }) => {
    const to = from.op === "delete" && from.before && hasSecret(from) ? context.declarerOf(from.before) : undefined;
    if (context.isUpdate || !to?.after || !isSameOrganization({ from, to })) return [];
    const [verb, state] =
      to.op === "create" ? (["create", {}] as const) : (["update", to.before?.outputs ?? {}] as const);
    const inputs = secretsAsUnknown(to.after.inputs);
    const rotates = (await dryRun(lifecycle, { verb, state, inputs }))?.length !== 0;
    if (rotates || inputs.initialSecret !== undefined || hasSecret(to)) return [];
    const goBack = to.op === "create" ? "" : "go back to its former name, run `pulumi up`, which sends nothing, and ";
    const ways =
      from.urn === to.urn ? "change triggers, which rotates" : goBack + remedyFor({ from, to }, lifecycle, placeOf);
    const name = plainName(context.nameOf(from.urn));
    return [`${name}: only this row of the state has the secret of this webhook, so the update is refused: ${ways}`];
  });
  return (await Promise.all(lines)).flat();
}

const hasSecret = ({ before }: Step): boolean =>
  before?.outputs.secret !== undefined || before?.outputs.data !== undefined;

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

/** Such as "add `formerly: crm-x` to crm (organization.yaml:9)". */
function remedyFor({ from, to }: Rename, lifecycle: Lifecycle, placeOf: PlaceOf): string {
  const [old, fresh] = [declarationOf(from.urn, from.before?.parent), declarationOf(to.urn, to.after?.parent)];
  // The names of retention policies are kinds of data.
  const isEntry = old.organization === fresh.organization && lifecycle.identity !== "resource";
  const place = placeOf(to, lifecycle);
  const advice = renameAdvice({ name: fresh.name, entry: isEntry ? fresh.key : undefined }, old.name);
  return `${plain(advice)}${place === undefined ? "" : ` (${place})`}`;
}

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
