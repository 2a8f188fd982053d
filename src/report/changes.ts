/** What one step does to its object, as sentences. */
import { containsUnknown } from "../values.js";
import { isUncertain, type Values } from "../resources/lifecycle.js";
import { isDue } from "../resources/schedule.js";
import { diffOf } from "./diff.js";
import { dryRun, type Verb } from "../resources/dry-run.js";
import type { PlaceOf } from "./places.js";
import type { PreviewContext } from "./preview-context.js";
import type { Op, ResourceState, Step } from "../engine/preview.js";
import type { RenameGroup } from "./renames.js";
import { editsOf, resourceOf, type Resource } from "./resources.js";
import { compareRisks, risksOf, type Risk } from "./risks.js";
import { optionSentences, sentence, stored, verbsIn } from "./sentences/sentence.js";
import type { Facts, Sentence, Sentences } from "./sentences/sentence.js";
import { code, hiddenAs, plain, plainName, secretsAsUnknown } from "./text.js";

export interface Change {
  readonly op: Op;
  /** The resource type, such as "RetentionPolicy"; "Provider" for a change of an organization. */
  readonly type: string;
  readonly name: string;
  /** The object's id; empty if it cannot be read. */
  readonly id: string;
  /** The organization; empty if it cannot be read. */
  readonly account: string;
  /** Sentences, the worst first, without a full stop. Plain text without secrets; parts in backticks are code. */
  readonly text: string;
  /** The worst first. */
  readonly risks: readonly Risk[];
  /** How many requests it sends. */
  readonly requests: number;
  /** Whether it only sends again, by date and without a risk, what was approved before. */
  readonly dueAlone: boolean;
  /** The declared values before and after: one line for each input. */
  readonly diff: readonly string[];
  /** The line of the organization file that declares it. */
  readonly place: string | undefined;
}

/** Longest sentence, characters. A command in a sentence must not be cut. */
const maxSentence = 2000;

interface ChangeSentences {
  readonly sentences: readonly Sentence[];
  readonly requests: number;
}

/** An empty list if nothing declared changes. */
export async function changeOf(
  step: Step,
  resource: Resource,
  context: PreviewContext,
  placeOf: PlaceOf,
): Promise<Change[]> {
  const { sentences, requests } = await sentencesOf(step, resource, context);
  if (sentences.length === 0) return [];
  const sorted = [...sentences].sort((a, b) => compareRisks(a.risks, b.risks));
  const values = step.after?.inputs ?? step.before?.outputs ?? {};
  const textOf = (value: unknown) => (typeof value === "string" ? plain(value) : "");
  const risks = risksOf(sorted);
  const lead = leadOf(step, resource, context);
  const text = lead + sorted.map((each) => plain(each.text, maxSentence)).join("; ");
  return [
    {
      op: step.op ?? "update",
      type: resource.lifecycle.type,
      name: plainName(context.nameOf(step)),
      id: textOf(values[resource.lifecycle.identity]),
      account: textOf(values.account),
      text: step.unfinished ? `did not finish: ${text}` : text,
      risks,
      requests,
      dueAlone: risks.length === 0 && isDueAlone(step),
      diff: diffOf(step),
      place: placeOf(step),
    },
  ];
}

/** A hidden value, or a lost answer, may be an edit. */
function isDueAlone({ op, before, after }: Step): boolean {
  if (op !== "update" || !before || !after) return false;
  const inputs = secretsAsUnknown(after.inputs);
  const isSure = !containsUnknown(inputs) && !isUncertain(before.outputs);
  return isSure && dueDate(before.outputs, inputs) !== undefined && !isEdited(before, after);
}

async function sentencesOf(step: Step, resource: Resource, context: PreviewContext): Promise<ChangeSentences> {
  const { before, after } = step;
  const isStillDeclared = before !== undefined && context.isDeclared(resource.lifecycle, before);
  switch (step.op) {
    case undefined:
      if (!step.same || !before || !after || !isEdited(before, after)) return { sentences: [], requests: 0 };
      return { sentences: editSentences(step, resource, factsOf("update", step, resource, context)), requests: 0 };
    case "import": {
      const text = `${plainName(context.nameOf(step))} is taken over as it is: nothing is sent`;
      return { sentences: [sentence(text)], requests: 0 };
    }
    case "delete": {
      if (!isStillDeclared) return verbSentences("delete", step, resource, context);
      const name = plainName(context.nameOf(step));
      const text = `${name}: declared elsewhere in the program, and nothing ${context.past ? "was" : "is"} sent for it here`;
      const renamed = await renameSentences(step, context);
      return { sentences: renamed.length > 0 ? renamed : [sentence(text)], requests: 0 };
    }
    case "create":
    case "update":
      return verbSentences(step.op, step, resource, context);
    case "replace": {
      const fresh = await verbSentences("create", step, resource, context);
      if (isStillDeclared)
        return { ...fresh, sentences: [...fresh.sentences, ...(await renameSentences(step, context))] };
      // The sentence about the organization says that its objects stay as they are.
      if (before !== undefined && context.isForeign(before)) return fresh;
      const former = { ...context, nameOf: () => `the former ${context.nameOf(step)}` };
      const isSameObject = idIn(before, resource) === idIn(step.after, resource);
      const deleted = await verbSentences("delete", step, resource, isSameObject ? context : former);
      const whose = isSameObject ? `${plainName(String(before?.outputs.account))}: ` : "";
      const sentences = deleted.sentences.map(({ text, risks }) => sentence(whose + text, ...risks));
      return { sentences: [...fresh.sentences, ...sentences], requests: fresh.requests + deleted.requests };
    }
  }
}

async function verbSentences(
  verb: Verb,
  step: Step,
  resource: Resource,
  context: PreviewContext,
): Promise<ChangeSentences> {
  const { lifecycle, sentences } = resource;
  const { before } = step;
  const facts = factsOf(verb, step, resource, context);
  const isRetained = verb === "delete" && before !== undefined && (before.retainOnDelete || context.isForeign(before));
  const values = { verb, state: before?.outputs ?? {}, inputs: secretsAsUnknown(facts.inputs) };
  const sent = isRetained ? [] : await dryRun(lifecycle, values);
  if (!sent) {
    const text = `${facts.name}: what happens cannot be read from these values`;
    return { sentences: [sentence(text, ...sentences.unreadable)], requests: 1 };
  }
  const requests = sent.length;
  const acts = requests > 0 ? sent.flatMap((request) => sentences.sent(request, facts)) : sentences.nothingSent(facts);
  if (verb === "delete") {
    const prefix = requests > 0 ? "`onDelete`: " : "";
    return { sentences: acts.map(({ text, risks }) => ({ text: prefix + text, risks })), requests };
  }
  const parts = [...acts, ...editSentences(step, resource, facts)];
  // A new address is said once, of the organization.
  const isSilent = parts.length > 0 || verb !== "update" || context.isMoved(step);
  return { sentences: isSilent ? parts : [stored(facts, [])], requests };
}

function factsOf(verb: Verb, step: Step, { lifecycle }: Resource, context: PreviewContext): Facts {
  const { before, after } = step;
  const inputs = (verb === "delete" ? before?.outputs : after?.inputs) ?? {};
  const old = verb === "create" ? after && context.formerly(lifecycle, after) : step;
  const known = old?.before;
  const declaredBefore = known?.inputs ?? {};
  return {
    verb,
    name: plainName(context.nameOf(step)),
    past: context.past && !step.unfinished,
    before: known?.outputs,
    inputs,
    declaredBefore,
    edits: known && verb !== "delete" ? editsOf(declaredBefore, inputs) : [],
    due: verb === "update" && !step.same ? dueDate(before?.outputs ?? {}, inputs) : undefined,
    unattended: declaredBefore.reassertUnattended === true && inputs.reassertUnattended === true,
    lost: known !== undefined && isUncertain(known.outputs),
    moved: old !== undefined && context.isMoved(old),
  };
}

/** The later effects of edits, without what the sentences about the request say. */
function editSentences(step: Step, { sentences }: Resource, facts: Facts): Sentence[] {
  const { before, after, same } = step;
  const withoutSentence: string[] = [];
  const parts = facts.edits.flatMap((edit) => {
    const { property } = edit;
    // The name may be any text, such as "constructor".
    const own = Object.hasOwn(sentences.edits, property) ? sentences.edits[property] : undefined;
    if (typeof own === "function") return own(edit, facts);
    if (!own && !(property === "onDelete" && sentences.destroy)) withoutSentence.push(property);
    return [];
  });
  if (withoutSentence.length > 0) parts.push(stored(facts, withoutSentence));
  parts.push(...destroySentences(step, sentences, facts));
  if (before && after) parts.push(...optionSentences(before.options, after.options, facts));
  if (parts.length > 0 || !same) return parts;
  // The state already has what the request would set. The engine stores the declaration.
  const properties = facts.edits.map(({ property }) => property);
  return [stored(facts, properties)];
}

/** The class sets `retainOnDelete` if `onDelete` does nothing. Set by the user, it keeps destroy from sending anything. */
function destroySentences({ before, after }: Step, { destroy, subject }: Sentences, facts: Facts): Sentence[] {
  const { onDelete = "retain" } = facts.inputs;
  const isValueChanged = facts.edits.some(({ property }) => property === "onDelete");
  const isOptionChanged = before && after && before.retainOnDelete !== after.retainOnDelete && onDelete !== "retain";
  if (!destroy || !(isValueChanged || isOptionChanged)) return [];
  if (after?.retainOnDelete && onDelete !== "retain") {
    return [
      sentence(`${facts.name}: destroy sends nothing, whatever \`onDelete\` says, because of \`retainOnDelete\``),
    ];
  }
  const hidden = hiddenAs(onDelete);
  if (hidden === undefined) return [destroy(onDelete, facts)];
  const what = `what destroy ${verbsIn(facts).will} do to ${subject?.(facts) ?? facts.name}`;
  return [sentence(`${what} is ${hidden}`, "weakens a guard")];
}

function isEdited(before: ResourceState, after: ResourceState): boolean {
  return editsOf(before.inputs, after.inputs).length > 0 || editsOf(optionsOf(before), optionsOf(after)).length > 0;
}

/** retainOnDelete has no effect without an `onDelete` that sends. */
function optionsOf({ options, retainOnDelete, inputs }: ResourceState): Values {
  return { ...options, retainOnDelete: retainOnDelete && (inputs.onDelete ?? "retain") !== "retain" };
}

function dueDate(state: Values, inputs: Values): string | undefined {
  const { __due: due } = inputs;
  if (typeof due !== "string" || !isDue(state, inputs)) return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(due) ? due : "now";
}

/** For a replacement by another object: which two, and the other one's name until now. */
function leadOf(step: Step, resource: Resource, context: PreviewContext): string {
  const { op, before, after } = step;
  const [from, to] = [idIn(before, resource), idIn(after, resource)];
  if (op !== "replace" || !after || from === to || from === undefined || to === undefined) return "";
  const old = context.formerly(resource.lifecycle, after);
  const name = old && old.urn !== step.urn ? `, until now ${plainName(context.nameOf(old))},` : "";
  const is = context.past && !step.unfinished ? "became" : "becomes";
  return `${plainName(context.nameOf(step))} ${is} ${code(plain(to))}${name} instead of ${code(plain(from))}: `;
}

function idIn(state: ResourceState | undefined, { lifecycle }: Resource): string | undefined {
  const id = state?.inputs[lifecycle.identity];
  return typeof id === "string" && hiddenAs(id) === undefined ? id : undefined;
}

/** For an object that the program declares under another name: an empty list if another step of its group says it. */
async function renameSentences(step: Step, context: PreviewContext): Promise<Sentence[]> {
  const group = context.renamesOf(step);
  const [first, ...others] = group?.renames ?? [];
  const own = group?.renames.find(({ from }) => from === step);
  if (!group || !first || !own) return [];
  const isFirst = own === first;
  const nameOf = (each: Step): string => plainName(context.nameOf(each));
  const end = isFirst ? await remedy(group, context) : "";
  if (group.isCycle) {
    const names = group.renames.map(({ from }) => nameOf(from));
    const text = `${names.slice(0, -1).join(", ")} and ${String(names.at(-1))} change${context.past ? "d" : ""} places`;
    return isFirst ? [sentence(text + end)] : [];
  }
  const is = context.past ? "was" : "is";
  const nothing = step.op === "delete" ? `, and nothing ${is} sent for the old name` : "";
  const also = isFirst ? others.map(({ from, to }) => `, ${nameOf(from)} to ${nameOf(to)}`).join("") : "";
  const former = step.op === "replace" ? "the former " : "";
  return [sentence(`${former}${nameOf(step)} ${is} renamed to ${nameOf(own.to)}${also}${nothing}${end}`)];
}

/** Leaves room for the names in a sentence. */
const maxCommands = 1500;

/** What to do before the update, and what that saves; nothing if it saves nothing. */
async function remedy({ renames, isCycle, commands }: RenameGroup, { past }: PreviewContext): Promise<string> {
  // Under another account it is another object for the engine, even with an alias.
  const isSameAccount = renames.every(({ from, to }) => from.before?.inputs.account === to.after?.inputs.account);
  const saved = (await Promise.all(renames.map(savedBy))).flat();
  if (past || !isSameAccount || saved.length === 0) return "";
  const why = [...new Set(saved)].sort().join(" and to ");
  const lines = (commands ?? []).map(code).join(", then ");
  if (lines !== "" && lines.length <= maxCommands) return `: run ${lines} before the update to ${why}`;
  if (renames.length === 1) return `: add an alias in the program to ${why}`;
  const detour = isCycle ? ", one of them with a temporary name in between," : "";
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
