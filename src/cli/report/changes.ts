/** What one step does to its object, as sentences. */
import { isDeepStrictEqual } from "node:util";
import { containsUnknown } from "../../values/engine.js";
import { isUncertain, type OrganizationScoped, type Values } from "../../resources/lifecycle.js";
import { knownState } from "../../resources/rules.js";
import { isDue } from "../../resources/schedule.js";
import { diffOf } from "./diff.js";
import { dryRun, type Verb } from "../../resources/dry-run.js";
import type { PlaceOf } from "../../organization-file/places.js";
import type { PreviewContext } from "./preview-context.js";
import type { Op, ResourceState, Step } from "../pulumi/preview-or-update.js";
import { renameSentences } from "./sentences/renames.js";
import { editsOf, entryKeyOf, type Resource } from "./resources.js";
import { compareRisks, risksOf, type Risk } from "./risks.js";
import { optionSentences, sentence, stored } from "./sentences/sentence.js";
import type { Facts, Sentence, Sentences } from "./sentences/sentence.js";
import { code, hiddenAs, plain, plainName, secretsAsUnknown } from "./text.js";

export interface Change {
  readonly op: Op;
  /** The resource type, such as "RetentionPolicy"; "Provider" for a change of an organization. */
  readonly type: string;
  /** The resource's name. */
  readonly name: string;
  /** The object's id; empty if it cannot be read. */
  readonly id: string;
  /** The organization; empty if it cannot be read. Frozen: JSON reports have this name. */
  readonly organization: string;
  /** Sentences, the worst first, without a full stop. Plain text without secrets; parts in backticks are code. */
  readonly text: string;
  /** The worst first. */
  readonly risks: readonly Risk[];
  /** How many requests it sends. */
  readonly requests: number;
  /** Whether it only sends again, by date and without a risk, what was approved before. */
  readonly dueAlone: boolean;
  /** False if a date or a lost answer makes it send again what was declared before. */
  readonly edited: boolean;
  /** The declared values before and after: one line for each input. */
  readonly diff: readonly string[];
  /** The line of the organization file that declares it. */
  readonly place: string | undefined;
}

/** Longest sentence, characters. A command in a sentence must not be cut. */
const maxSentence = 2000;

interface Effect {
  /** Before the sentences. Default: the object's name. */
  readonly lead?: string;
  readonly sentences: readonly Sentence[];
  /** Default: none. */
  readonly requests?: number;
}

/** An empty list if nothing declared changes. */
export async function changeOf(
  step: Step,
  resource: Resource,
  context: PreviewContext,
  placeOf: PlaceOf,
): Promise<Change[]> {
  const { lead, sentences, requests = 0 } = await effectOf(step, resource, context);
  if (sentences.length === 0) return [];
  const sorted = sentences.toSorted((a, b) => compareRisks(a.risks, b.risks));
  const name = plainName(context.nameOf(step.urn));
  const values = valuesOf(step);
  const textOf = (value: unknown) => (typeof value === "string" ? plain(value) : "");
  const risks = risksOf(sorted);
  const edited = !isRepeated(step);
  const text = [
    ...(step.unfinished ? ["did not finish"] : []),
    lead ?? subjectOf(resource, values, name),
    sorted.map((each) => plain(each.text, maxSentence)).join("; "),
  ].join(": ");
  return [
    {
      op: step.op ?? "update",
      type: resource.lifecycle.type,
      name,
      id: textOf(values[resource.lifecycle.identity]),
      organization: textOf(values.organization),
      text,
      risks,
      requests,
      dueAlone: risks.length === 0 && !edited && !isUncertain(step.before?.outputs ?? {}),
      edited,
      diff: diffOf(step),
      place: placeIn(step, resource, placeOf),
    },
  ];
}

function placeIn(step: Step, { lifecycle }: Resource, placeOf: PlaceOf): string | undefined {
  const { before, after } = step;
  const key = entryKeyOf(step);
  if (key === undefined || !after) return undefined;
  const edited = before ? editsOf(before.inputs, after.inputs).map(({ property }) => property) : [];
  return placeOf({ type: lifecycle.type, key, id: after.inputs[lifecycle.identity], edited });
}

/** The declared values; of a delete, the old outputs. */
const valuesOf = ({ before, after }: Step): Values => after?.inputs ?? before?.outputs ?? {};

const subjectOf = ({ sentences }: Resource, values: Values, name: string): string =>
  sentences.subject?.(values, name) ?? name;

/** A hidden value may be an edit. That of an initial secret sends nothing. */
function isRepeated({ op, before, after }: Step): boolean {
  if (op !== "update" || !before || !after || isEdited(before, after)) return false;
  const { initialSecret: _, ...inputs } = secretsAsUnknown(after.inputs);
  return !containsUnknown(inputs) && (isUncertain(before.outputs) || dueDate(before.outputs, inputs) !== undefined);
}

async function effectOf(step: Step, resource: Resource, context: PreviewContext): Promise<Effect> {
  const { before, after } = step;
  const name = plainName(context.nameOf(step.urn));
  const isStillDeclared = before !== undefined && context.isDeclared(before);
  switch (step.op) {
    case undefined:
      if (!step.same || !before || !after || !isEdited(before, after)) return { sentences: [] };
      return { sentences: editSentences(step, resource, factsOf("update", step, resource, context)) };
    case "import":
      return { sentences: [sentence("taken over as it is, without a request")] };
    case "delete": {
      if (!isStillDeclared) return verbEffect("delete", step, resource, context);
      const renamed = await renameSentences(step, context);
      if (renamed.length > 0) return { lead: name, sentences: renamed };
      return { sentences: [sentence("declared elsewhere in the program; sends nothing here")] };
    }
    case "create":
    case "update":
      return verbEffect(step.op, step, resource, context);
    case "replace": {
      const fresh = { ...leadOf(step, resource, context), ...(await verbEffect("create", step, resource, context)) };
      if (isStillDeclared)
        return { ...fresh, sentences: [...fresh.sentences, ...(await renameSentences(step, context))] };
      // The sentence about the organization says that its objects stay as they are.
      if (before === undefined || context.isForeign(before)) return fresh;
      const deleted = await verbEffect("delete", step, resource, context);
      const isSameObject = idIn(before, resource) === idIn(after, resource);
      const whose = isSameObject
        ? plainName(String(before.outputs.organization))
        : subjectOf(resource, before.outputs, `the former ${name}`);
      const sentences = [...fresh.sentences, ...prefixed(`${whose}: `, deleted.sentences)];
      return { ...fresh, sentences, requests: (fresh.requests ?? 0) + (deleted.requests ?? 0) };
    }
  }
}

async function verbEffect(verb: Verb, step: Step, resource: Resource, context: PreviewContext): Promise<Effect> {
  const { lifecycle, sentences } = resource;
  const { before } = step;
  const facts = factsOf(verb, step, resource, context);
  const isRetained = verb === "delete" && before !== undefined && (before.retainOnDelete || context.isForeign(before));
  const state = verb === "update" ? facts.before : before?.outputs;
  const values = { verb, state: state ?? {}, inputs: secretsAsUnknown(facts.inputs) };
  const sent = isRetained ? [] : await dryRun(lifecycle, values);
  if (!sent) {
    const text = "what happens cannot be read from these values";
    return { sentences: [sentence(text, ...sentences.unreadable)], requests: 1 };
  }
  const requests = sent.length;
  // What an import file says of an object is adopted by the first update.
  const isAdopted = verb === "update" && facts.inputs.__imported === true;
  const acts =
    requests > 0
      ? sent.flatMap((request) => sentences.sent(request, facts))
      : sentences.nothingSent(isAdopted ? { ...facts, verb: "create" } : facts);
  if (verb === "delete") return { sentences: requests > 0 ? prefixed("by `onDelete`, ", acts) : acts, requests };
  const parts = [...acts, ...editSentences(step, resource, facts)];
  // A new address is reported once, for the organization.
  const isSilent = parts.length > 0 || verb !== "update" || context.isMoved(step);
  return { sentences: isSilent ? parts : [stored([])], requests };
}

const prefixed = (prefix: string, sentences: readonly Sentence[]): Sentence[] =>
  sentences.map(({ text, risks }) => ({ text: prefix + text, risks }));

function factsOf(verb: Verb, step: Step, resource: Resource, context: PreviewContext): Facts {
  const { before, after } = step;
  const inputs = (verb === "delete" ? before?.outputs : after?.inputs) ?? {};
  const old = verb === "create" ? after && context.formerly(after) : step;
  const known = old?.before;
  const declaredBefore = known?.inputs ?? {};
  return {
    verb,
    done: context.isUpdate && !step.unfinished,
    before: known && knownState(resource.lifecycle, known.outputs as OrganizationScoped, inputs as OrganizationScoped),
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
  if (withoutSentence.length > 0) parts.push(stored(withoutSentence));
  parts.push(...destroySentences(step, sentences, facts));
  if (before && after) parts.push(...optionSentences(before.options, after.options));
  if (parts.length > 0 || !same) return parts;
  // The state already has what the request would set. The engine stores the declaration.
  return [stored(facts.edits.map(({ property }) => property))];
}

/** The class sets `retainOnDelete` if `onDelete` does nothing. Set by the user, it keeps destroy from sending anything. */
function destroySentences({ before, after }: Step, { destroy }: Sentences, facts: Facts): Sentence[] {
  const { onDelete = "retain" } = facts.inputs;
  const isValueChanged = facts.edits.some(
    ({ property, old = "retain", fresh = "retain" }) => property === "onDelete" && !isDeepStrictEqual(old, fresh),
  );
  const isOptionChanged = before && after && before.retainOnDelete !== after.retainOnDelete && onDelete !== "retain";
  if (!destroy || !(isValueChanged || isOptionChanged)) return [];
  if (after?.retainOnDelete && onDelete !== "retain") {
    return [sentence("destroy sends nothing, whatever `onDelete` says, because of `retainOnDelete`")];
  }
  const hidden = hiddenAs(onDelete);
  return [hidden ? sentence(`what destroy will do is ${hidden}`, "weakens a guard") : destroy(onDelete, facts)];
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
  return typeof due === "string" && isDue(state, inputs) ? due : undefined;
}

/** For a replacement by another object: which two, and the other one's former name. */
function leadOf(step: Step, resource: Resource, context: PreviewContext): Pick<Effect, "lead"> {
  const { before, after } = step;
  const [from, to] = [idIn(before, resource), idIn(after, resource)];
  if (!after || from === to || from === undefined || to === undefined) return {};
  const old = context.formerly(after);
  const name = old && old.urn !== step.urn ? ` (formerly ${plainName(context.nameOf(old.urn))})` : "";
  const now = `${code(plain(to))}${name} instead of ${code(plain(from))}`;
  return { lead: `${plainName(context.nameOf(step.urn))}, now ${now}` };
}

function idIn(state: ResourceState | undefined, { lifecycle }: Resource): string | undefined {
  const id = state?.inputs[lifecycle.identity];
  return typeof id === "string" && hiddenAs(id) === undefined ? id : undefined;
}
