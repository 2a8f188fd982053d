/** Objects that the program declares under another name, and the command that gives a row of the state the new name. */
import { dryRun } from "../../resources/dry-run.js";
import { effect, type Effect } from "../../resources/effects/effect.js";
import type { Lifecycle } from "../../resources/lifecycle.js";
import type { ResourceState, Step } from "../pulumi/preview-or-update.js";
import type { PreviewContext } from "./preview-context.js";
import { wholeNameIn } from "./resources.js";
import { code, plainName, secretsAsUnknown } from "./text.js";

export async function renameEffects(step: Step, lifecycle: Lifecycle, context: PreviewContext): Promise<Effect[]> {
  const to = context.renamedTo(step);
  if (!to?.after || !step.before) return [];
  const [old, fresh] = [step, to].map(({ urn }) => plainName(context.nameOf(urn)));
  const isSameOrganization = step.before.inputs.organization === to.after.inputs.organization;
  const saved = !context.isUpdate && isSameOrganization ? await savedBy(step.before, to.after, lifecycle) : [];
  const why = saved.length === 0 ? "" : `: ${remedyFor(step, to)} to ${saved.join(" and to ")}`;
  if (step.op === "replace") return [effect(`the former ${old} renamed to ${fresh}${why}`)];
  return [effect(`renamed to ${fresh}, and sends nothing for the old name${why}`)];
}

/** The command, if only the name differs and the line is safe to paste into a shell. */
function remedyFor({ urn, before }: Step, to: Step): string {
  const name = wholeNameIn(to.urn);
  const isSameType = urn.slice(0, -wholeNameIn(urn).length) === to.urn.slice(0, -name.length);
  const isPlain = /^[\w$:/.-]{1,600}$/.test(urn) && /^\w[\w.-]{0,99}$/.test(name);
  if (before?.parent !== to.after?.parent || !isSameType || !isPlain) return "add an alias in the program";
  return `run ${code(`pulumi state rename '${urn}' ${name}`)} before the update`;
}

async function savedBy(before: ResourceState, after: ResourceState, lifecycle: Lifecycle): Promise<string[]> {
  const values = { state: before.outputs, inputs: secretsAsUnknown(after.inputs) };
  const created = await dryRun(lifecycle, { verb: "create", ...values });
  const isAvoided = created?.length !== 0 && (await dryRun(lifecycle, { verb: "update", ...values }))?.length === 0;
  if (!isAvoided && lifecycle.identity === "resource") return ["keep the guard for fewer days"];
  return [
    ...(isAvoided ? ["avoid the request"] : []),
    ...(before.outputs.secret === undefined ? [] : ["keep the secret in the state"]),
  ];
}
