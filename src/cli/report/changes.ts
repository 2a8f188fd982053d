/** What one step does to its object, in words. */
import { containsUnknown } from "../../engine-values.js";
import { type Values } from "../../resources/lifecycle.js";
import { isDue } from "../../resources/schedule.js";
import { diffOf } from "./diff.js";
import { secretsAsUnknown } from "./hidden.js";
import type { PlaceOf } from "./places.js";
import type { Op, ResourceState, Step } from "./read.js";
import { rehearse, type Verb } from "./rehearse.js";
import { editsOf, type Resource } from "./resources.js";
import { compareRisks, risksOf, type Risk } from "./risks.js";
import type { Surroundings } from "./surroundings.js";
import { renameTelling } from "./rename.js";
import { plain, plainName } from "./text.js";
import { stored, tell, type Facts, type Telling, type Words } from "./words/facts.js";
import { optionTellings } from "./words/options.js";

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

interface Told {
  readonly tellings: readonly Telling[];
  readonly requests: number;
}

/** Nothing where nothing changes that anybody has declared. */
export async function changeOf(
  step: Step,
  resource: Resource,
  around: Surroundings,
  placeOf: PlaceOf,
): Promise<Change[]> {
  const told = await tellingsOf(step, resource, around);
  if (told.tellings.length === 0) return [];
  const tellings = [...told.tellings].sort((a, b) => compareRisks(a.risks, b.risks));
  const values = step.after?.inputs ?? step.before?.outputs ?? {};
  const textOf = (value: unknown) => (typeof value === "string" ? plain(value) : "");
  const risks = risksOf(tellings);
  const sentences = tellings.map(({ text }) => plain(text, maxSentence)).join("; ");
  return [
    {
      op: step.op ?? "update",
      type: resource.lifecycle.type,
      name: nameIn(step, around),
      id: textOf(values[resource.lifecycle.identity]),
      account: textOf(values.account),
      text: step.unfinished ? `did not finish: ${sentences}` : sentences,
      risks,
      requests: told.requests,
      dueAlone: risks.length === 0 && isDueAlone(step),
      diff: diffOf(step),
      place: placeOf(step),
    },
  ];
}

function nameIn(step: Step, { nameOf }: Surroundings): string {
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

async function tellingsOf(step: Step, resource: Resource, around: Surroundings): Promise<Told> {
  const { before, after } = step;
  switch (step.op) {
    case undefined:
      if (!step.same || !before || !after || !isEdited(before, after)) return nothing;
      return { tellings: editTellings(step, resource, factsOf("update", step, resource, around)), requests: 0 };
    case "import":
      return { tellings: [tell(`${nameIn(step, around)} is taken over as it is: nothing is sent`)], requests: 0 };
    case "create":
      return verbTellings("create", step, resource, around);
    case "update":
      return verbTellings("update", step, resource, around);
    case "delete":
      if (!before || !around.isDeclared(resource.lifecycle, before))
        return verbTellings("delete", step, resource, around);
      return { tellings: [renameTelling(step, resource, around)], requests: 0 };
    case "replace": {
      const fresh = await verbTellings("create", step, resource, around);
      if (before && around.isDeclared(resource.lifecycle, before)) return fresh;
      const former = { ...around, nameOf: () => `the former ${around.nameOf(step)}` };
      const gone = await verbTellings("delete", step, resource, former);
      return { tellings: [...fresh.tellings, ...gone.tellings], requests: fresh.requests + gone.requests };
    }
  }
}

const nothing: Told = { tellings: [], requests: 0 };

async function verbTellings(verb: Verb, step: Step, resource: Resource, around: Surroundings): Promise<Told> {
  const { lifecycle, words } = resource;
  const { before, after } = step;
  const facts = factsOf(verb, step, resource, around);
  const isRetained = verb === "delete" && before?.retainOnDelete === true;
  const values = { verb, state: before?.outputs ?? {}, inputs: secretsAsUnknown(facts.inputs) };
  const sent = isRetained ? [] : await rehearse(lifecycle, values);
  if (!sent) {
    const text = `${facts.name}: what happens cannot be told from these values`;
    return { tellings: [tell(text, ...words.unreadable)], requests: 1 };
  }
  const acts = sent.length > 0 ? sent.flatMap((request) => words.sent(request, facts)) : words.nothingSent(facts);
  const isUndone = verb === "delete" && sent.length > 0;
  const tellings = [
    ...acts.map(({ text, risks }) => (isUndone ? { text: `\`onDelete\`: ${text}`, risks } : { text, risks })),
    ...(verb === "delete" ? [] : editTellings(step, resource, facts)),
  ];
  if (tellings.length > 0 || verb !== "update") return { tellings, requests: sent.length };
  // Where requests go is told once, of the organization.
  return { tellings: isMoved(before, after) ? [] : [stored(facts, [])], requests: sent.length };
}

function factsOf(verb: Verb, step: Step, { lifecycle }: Resource, around: Surroundings): Facts {
  const { before, after } = step;
  const inputs = (verb === "delete" ? before?.outputs : after?.inputs) ?? {};
  const known = verb === "create" ? after && around.formerly(lifecycle, after) : before;
  const declaredBefore = known?.inputs ?? {};
  return {
    verb,
    name: nameIn(step, around),
    past: around.past && !step.unfinished,
    before: known?.outputs,
    inputs,
    declaredBefore,
    edits: known && verb !== "delete" ? editsOf(declaredBefore, inputs) : [],
    due: verb === "update" && !step.same ? dueDate(before?.outputs ?? {}, inputs) : undefined,
    unattended: declaredBefore.reassertUnattended === true && inputs.reassertUnattended === true,
    lost: known !== undefined && isLost(known.outputs),
  };
}

/** What edits do later. What the words about the request tell is not told again. */
function editTellings({ before, after, same }: Step, { words }: Resource, facts: Facts): Telling[] {
  const wordless: string[] = [];
  const tellings = facts.edits.flatMap((edit) => {
    const { property } = edit;
    // It may be any text, "constructor" too.
    const told = Object.hasOwn(words.edits, property) ? words.edits[property]?.(edit, facts) : undefined;
    if (!told && !(property === "onDelete" && words.destroy)) wordless.push(property);
    return told ?? [];
  });
  if (wordless.length > 0) tellings.push(stored(facts, wordless));
  tellings.push(...destroyTellings(before, after, words, facts));
  if (before && after) tellings.push(...optionTellings(before.options, after.options, facts));
  if (tellings.length > 0 || !same) return tellings;
  // The state has what the request would set, and the engine stores what is declared.
  const properties = facts.edits.map(({ property }) => property);
  return [stored(facts, properties)];
}

/** The class sets `retainOnDelete` where `onDelete` does nothing; the user's own keeps destroy from doing it. */
function destroyTellings(
  before: ResourceState | undefined,
  after: ResourceState | undefined,
  { destroy }: Words,
  facts: Facts,
): Telling[] {
  const { onDelete = "retain" } = facts.inputs;
  const isOtherValue = facts.edits.some(({ property }) => property === "onDelete");
  const isOtherOption = before && after && before.retainOnDelete !== after.retainOnDelete && onDelete !== "retain";
  if (!destroy || !(isOtherValue || isOtherOption)) return [];
  if (!after?.retainOnDelete || onDelete === "retain") return [destroy(onDelete, facts)];
  return [tell(`${facts.name}: destroy sends nothing, whatever \`onDelete\` says, because of \`retainOnDelete\``)];
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
