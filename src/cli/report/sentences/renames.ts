/** The sentences about objects that the program declares under another name. */
import { dryRun } from "../../../resources/dry-run.js";
import type { Step } from "../../pulumi/preview-or-update.js";
import type { PreviewContext } from "../preview-context.js";
import { isSameOrganization, type RenameGroup } from "../renames.js";
import { resourceOf } from "../resources.js";
import { code, plainName, secretsAsUnknown } from "../text.js";
import { sentence, type Sentence } from "./sentence.js";

/** For an object that the program declares under another name: an empty list if another step of its group says it. */
export async function renameSentences(step: Step, context: PreviewContext): Promise<Sentence[]> {
  const group = context.renamesOf(step);
  const [first, ...others] = group?.renames ?? [];
  const own = group?.renames.find(({ from }) => from === step);
  if (!group || !first || !own) return [];
  const isFirst = own === first;
  const nameOf = (each: Step): string => plainName(context.nameOf(each.urn));
  const end = isFirst ? await remedy(group, context) : "";
  if (group.isCycle) {
    const names = group.renames.map(({ from }) => nameOf(from));
    return isFirst
      ? [sentence(`${names.slice(0, -1).join(", ")} and ${String(names.at(-1))} change places${end}`)]
      : [];
  }
  const also = isFirst ? others.map(({ from, to }) => `, ${nameOf(from)} to ${nameOf(to)}`).join("") : "";
  if (step.op === "replace") return [sentence(`the former ${nameOf(step)} renamed to ${nameOf(own.to)}${also}${end}`)];
  return [sentence(`renamed to ${nameOf(own.to)}${also}, and sends nothing for the old name${end}`)];
}

/** Leaves room for the names in a sentence. */
const maxCommands = 1500;

/** What to do before the update, and what that saves; nothing if it saves nothing. */
async function remedy({ renames, isCycle, commands }: RenameGroup, { isUpdate }: PreviewContext): Promise<string> {
  const saved = (await Promise.all(renames.map(savedBy))).flat();
  if (isUpdate || !renames.every(isSameOrganization) || saved.length === 0) return "";
  const why = [...new Set(saved)].sort().join(" and to ");
  const lines = (commands ?? []).map(code).join(", then ");
  if (lines !== "" && lines.length <= maxCommands) return `: run ${lines} before the update to ${why}`;
  if (renames.length === 1) return `: add an alias in the program to ${why}`;
  const detour = isCycle ? ", one of them by way of a temporary name," : "";
  return `: rename them in the state before the update${detour} to ${why}`;
}

async function savedBy({ from, to }: RenameGroup["renames"][number]): Promise<readonly string[]> {
  const resource = resourceOf(from.type);
  if (!resource || !from.before || !to.after) return [];
  const values = { state: from.before.outputs, inputs: secretsAsUnknown(to.after.inputs) };
  const [created, updated] = await Promise.all([
    dryRun(resource.lifecycle, { verb: "create", ...values }),
    dryRun(resource.lifecycle, { verb: "update", ...values }),
  ]);
  return resource.sentences.renameSaves(from.before.outputs, created?.length !== 0 && updated?.length === 0);
}
