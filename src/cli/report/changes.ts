/** What one step does to its object, in words. */
import { containsUnknown } from "../../engine-values.js";
import { type Values } from "../../resources/lifecycle.js";
import { isDue } from "../../resources/schedule.js";
import { diffOf } from "./diff.js";
import { secretsAsUnknown } from "./secrets.js";
import type { PlaceOf } from "./places.js";
import type { Op, ResourceState, Step } from "./read.js";
import { dryRun, type Verb } from "./dry-run.js";
import { editsOf, type Resource } from "./resources.js";
import { compareRisks, risksOf, type Risk } from "./risks.js";
import type { PreviewContext } from "./preview-context.js";
import { renameSentence } from "./rename.js";
import { plain, plainName } from "./text.js";
import { stored, sentence, type Facts, type Sentence, type Sentences } from "./sentences/sentence.js";
import { optionSentences } from "./sentences/options.js";

export interface Change {
  readonly op: Op;
  /** The user's name of the resource type, e.g. "RetentionPolicy"; "Provider" of what is about an organization as such. */
  readonly type: string;
  readonly name: string;
  /** The object's own id, empty where it cannot be read. */
  readonly id: string;
  /** The organization, empty where it cannot be read. */
  readonly account: string;
  /**
   * One or more sentences, the worst first, without a full stop at the end. Plain text that holds no secret, to be escaped by
   * a format; parts in backticks are to be read as they stand.
   */
  readonly text: string;
  /** The worst first. */
  readonly risks: readonly Risk[];
  /** How many requests it sends. */
  readonly requests: number;
  /** Whether the clock alone brings it about, without a risk: nothing but what was approved before is sent again. */
  readonly dueAlone: boolean;
  /** What is declared, before and after: one line for each input. */
  readonly diff: readonly string[];
  /** Where it is declared in the organization file. */
  readonly place: string | undefined;
}

/** Characters of one sentence: a command in it has to arrive. */
const maxSentence = 1000;

interface ChangeSentences {
  readonly sentences: readonly Sentence[];
  readonly requests: number;
}

/** Nothing where nothing changes that anybody has declared. */
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
  const text = sorted.map(({ text }) => plain(text, maxSentence)).join("; ");
  return [
    {
      op: step.op ?? "update",
      type: resource.lifecycle.type,
      name: nameIn(step, context),
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

function nameIn(step: Step, { nameOf }: PreviewContext): string {
  return plainName(nameOf(step));
}

/** Whatever cannot be seen, or is not known to have arrived, may be an edit. */
function isDueAlone({ op, before, after }: Step): boolean {
  if (op !== "update" || !before || !after) return false;
  const inputs = secretsAsUnknown(after.inputs);
  return (
    dueDate(before.outputs, inputs) !== undefined &&
    !isEdited(before, after) &&
    !containsUnknown(inputs) &&
    !isLost(before.outputs)
  );
}

async function sentencesOf(step: Step, resource: Resource, context: PreviewContext): Promise<ChangeSentences> {
  const { before, after } = step;
  switch (step.op) {
    case undefined:
      if (!step.same || !before || !after || !isEdited(before, after)) return nothing;
      return { sentences: editSentences(step, resource, factsOf("update", step, resource, context)), requests: 0 };
    case "import":
      return { sentences: [sentence(`${nameIn(step, context)} is taken over as it is: nothing is sent`)], requests: 0 };
    case "create":
      return verbSentences("create", step, resource, context);
    case "update":
      return verbSentences("update", step, resource, context);
    case "delete":
      if (!before || !context.isDeclared(resource.lifecycle, before))
        return verbSentences("delete", step, resource, context);
      return { sentences: [renameSentence(step, resource, context)], requests: 0 };
    case "replace": {
      const fresh = await verbSentences("create", step, resource, context);
      if (before && context.isDeclared(resource.lifecycle, before)) return fresh;
      const former = { ...context, nameOf: () => `the former ${context.nameOf(step)}` };
      const gone = await verbSentences("delete", step, resource, former);
      return { sentences: [...fresh.sentences, ...gone.sentences], requests: fresh.requests + gone.requests };
    }
  }
}

const nothing: ChangeSentences = { sentences: [], requests: 0 };

async function verbSentences(
  verb: Verb,
  step: Step,
  resource: Resource,
  context: PreviewContext,
): Promise<ChangeSentences> {
  const { lifecycle, sentences } = resource;
  const { before, after } = step;
  const facts = factsOf(verb, step, resource, context);
  const isRetained = verb === "delete" && before?.retainOnDelete === true;
  const values = { verb, state: before?.outputs ?? {}, inputs: secretsAsUnknown(facts.inputs) };
  const sent = isRetained ? [] : await dryRun(lifecycle, values);
  if (!sent) {
    const text = `${facts.name}: what happens cannot be told from these values`;
    return { sentences: [sentence(text, ...sentences.unreadable)], requests: 1 };
  }
  const acts =
    sent.length > 0 ? sent.flatMap((request) => sentences.sent(request, facts)) : sentences.nothingSent(facts);
  const isUndone = verb === "delete" && sent.length > 0;
  const parts = [
    ...acts.map(({ text, risks }) => (isUndone ? { text: `\`onDelete\`: ${text}`, risks } : { text, risks })),
    ...(verb === "delete" ? [] : editSentences(step, resource, facts)),
  ];
  if (parts.length > 0 || verb !== "update") return { sentences: parts, requests: sent.length };
  // Where requests go is said once, of the organization.
  return { sentences: isMoved(before, after) ? [] : [stored(facts, [])], requests: sent.length };
}

function factsOf(verb: Verb, step: Step, { lifecycle }: Resource, context: PreviewContext): Facts {
  const { before, after } = step;
  const inputs = (verb === "delete" ? before?.outputs : after?.inputs) ?? {};
  const known = verb === "create" ? after && context.formerly(lifecycle, after) : before;
  const declaredBefore = known?.inputs ?? {};
  return {
    verb,
    name: nameIn(step, context),
    past: context.past && !step.unfinished,
    before: known?.outputs,
    inputs,
    declaredBefore,
    edits: known && verb !== "delete" ? editsOf(declaredBefore, inputs) : [],
    due: verb === "update" && !step.same ? dueDate(before?.outputs ?? {}, inputs) : undefined,
    unattended: declaredBefore.reassertUnattended === true && inputs.reassertUnattended === true,
    lost: known !== undefined && isLost(known.outputs),
  };
}

/** What edits do later. What the sentences about the request say is not repeated. */
function editSentences({ before, after, same }: Step, { sentences }: Resource, facts: Facts): Sentence[] {
  const wordless: string[] = [];
  const parts = facts.edits.flatMap((edit) => {
    const { property } = edit;
    // It may be any text, "constructor" too.
    const own = Object.hasOwn(sentences.edits, property) ? sentences.edits[property]?.(edit, facts) : undefined;
    if (!own && !(property === "onDelete" && sentences.destroy)) wordless.push(property);
    return own ?? [];
  });
  if (wordless.length > 0) parts.push(stored(facts, wordless));
  parts.push(...destroySentences(before, after, sentences, facts));
  if (before && after) parts.push(...optionSentences(before.options, after.options, facts));
  if (parts.length > 0 || !same) return parts;
  // The state has what the request would set, and the engine stores what is declared.
  const properties = facts.edits.map(({ property }) => property);
  return [stored(facts, properties)];
}

/** The class sets `retainOnDelete` where `onDelete` does nothing; the user's own keeps destroy from doing it. */
function destroySentences(
  before: ResourceState | undefined,
  after: ResourceState | undefined,
  { destroy }: Sentences,
  facts: Facts,
): Sentence[] {
  const { onDelete = "retain" } = facts.inputs;
  const isOtherValue = facts.edits.some(({ property }) => property === "onDelete");
  const isOtherOption = before && after && before.retainOnDelete !== after.retainOnDelete && onDelete !== "retain";
  if (!destroy || !(isOtherValue || isOtherOption)) return [];
  if (!after?.retainOnDelete || onDelete === "retain") return [destroy(onDelete, facts)];
  return [sentence(`${facts.name}: destroy sends nothing, whatever \`onDelete\` says, because of \`retainOnDelete\``)];
}

function isEdited(before: ResourceState, after: ResourceState): boolean {
  return editsOf(before.inputs, after.inputs).length > 0 || editsOf(optionsOf(before), optionsOf(after)).length > 0;
}

function optionsOf({ options, retainOnDelete, inputs }: ResourceState): Values {
  // Of a resource without onDelete, or with one that does nothing, retainOnDelete changes nothing.
  return { ...options, retainOnDelete: retainOnDelete && (inputs.onDelete ?? "retain") !== "retain" };
}

function isMoved(before: ResourceState | undefined, after: ResourceState | undefined): boolean {
  const from = before?.outputs.address ?? before?.inputs.address;
  const to = after?.inputs.address;
  return from !== undefined && to !== undefined && from !== to;
}

function isLost({ uncertain, rotationState }: Values): boolean {
  return uncertain !== undefined || rotationState === "uncertain";
}

function dueDate(state: Values, inputs: Values): string | undefined {
  const { __due: due } = inputs;
  if (typeof due !== "string" || !isDue(state, inputs)) return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(due) ? due : "now";
}
