/** What one step does to its object, from what is known of it. */
import { containsUnknown, secretsAsUnknown } from "../../../values/engine.js";
import type { PlannedRequest } from "../../../client/planned-request.js";
import { effect, hiddenAs, type ObjectChange, type Effect } from "../../../lifecycle/effects/effect.js";
import type { Lifecycle } from "../../../lifecycle/lifecycle.js";
import { textOf, type Values } from "../../../values/any.js";
import { ignoredKey, loosens, retains } from "../../../lifecycle/effects/guards.js";
import { isDue } from "../../../lifecycle/schedule.js";
import type { ResourceState } from "../../pulumi/steps.js";
import { editsOf, editLines } from "../situations/diff.js";
import { renameEffects } from "./renames.js";
import { sendsRequest } from "../situations/planned.js";
import type { Situation } from "../situations/situations.js";
import { asCode, safeCode, safeName } from "../../output.js";

const storedText = ": stored without a request";

/** An effect, and the line of the difference that loosens a guard, if it has one. */
interface ReportedEffect extends Effect {
  readonly loosened?: string;
}

/** What a step or one of its verbs does, and the requests that it sends. */
interface Effects {
  readonly effects: readonly ReportedEffect[];
  readonly requests: readonly PlannedRequest[];
  /** What the line begins with. Default: what sentences call the object. */
  readonly lead?: string | undefined;
}

interface StepEffects extends Effects {
  readonly lead: string;
  readonly loosened: readonly string[];
  /** Whether it only sends again, by date and without a risk, what was approved before. */
  readonly dueAlone: boolean;
}

export function effectsOf(situation: Situation): StepEffects {
  const { lifecycle, values, name } = situation;
  const { lead = subjectOf(lifecycle, values, name), effects, requests } = operationEffects(situation);
  const dueAlone = effects.every(({ risks }) => risks.length === 0) && isDueAlone(situation);
  const loosened = effects.flatMap((each) => each.loosened ?? []);
  return { lead, effects, requests, loosened, dueAlone };
}

function operationEffects(situation: Situation): Effects {
  const { step } = situation;
  switch (step.op) {
    case undefined:
      return unsent(step.same ? editEffects(situation, changeFor("update", situation), []) : []);
    case "import":
      return unsent([effect("taken over as it is, without a request")]);
    case "create":
    case "update":
      return verbEffects(step.op, situation);
    case "delete":
      return withDoubtEffect(situation, deleteEffects(situation));
    case "replace":
      return withDoubtEffect(situation, replaceEffects(situation));
  }
}

const unsent = (effects: readonly ReportedEffect[]): Effects => ({ effects, requests: [] });

/** Adds the doubt about an uncertain state that is given up, unless a request of this step, or of the one that declares the object, ends it. */
function withDoubtEffect({ step: { before }, lifecycle, planned, declarer }: Situation, given: Effects): Effects {
  if (!before || !lifecycle.isUncertain(before.outputs)) return given;
  const ofDeclarer = declarer ? [declarer.planned.create, declarer.planned.update] : [];
  if ([planned.delete, ...ofDeclarer].some(sendsRequest)) return given;
  return { ...given, effects: [...given.effects, effect(lifecycle.doubt.replace(/\.$/, ""))] };
}

function deleteEffects(situation: Situation): Effects {
  if (!situation.declarer) return verbEffects("delete", situation);
  const renamed = renameEffects(situation);
  if (renamed.length > 0) return { ...unsent(renamed), lead: situation.name };
  return unsent([effect("declared elsewhere in the program; sends nothing here")]);
}

function replaceEffects(situation: Situation): Effects {
  const { step, lifecycle, name, declarer, isOfOtherOrganization } = situation;
  const { before, after } = step;
  const created = verbEffects("create", situation);
  const lead = replacementLead(situation);
  if (declarer) return { ...created, lead, effects: [...created.effects, ...renameEffects(situation)] };
  // The line about the organization says that the objects of the old one are no longer managed.
  if (before === undefined || isOfOtherOrganization) return { ...created, lead };
  const deleted = verbEffects("delete", situation);
  const oldId = idIn(before, lifecycle);
  const whose =
    oldId !== undefined && oldId === idIn(after, lifecycle)
      ? safeName(textOf(before.outputs.organization))
      : subjectOf(lifecycle, before.outputs, `the former ${name}`);
  const effects = [...created.effects, ...prefixed(`${whose}: `, deleted.effects)];
  return { lead, effects, requests: [...created.requests, ...deleted.requests] };
}

const subjectOf = ({ subject }: Lifecycle, values: Values, name: string): string => subject?.(values, name) ?? name;

function verbEffects(verb: ObjectChange["verb"], situation: Situation): Effects {
  const { lifecycle, planned } = situation;
  const { requests, isReadable } = planned[verb];
  if (!isReadable)
    return { effects: [effect("what happens cannot be read from these values", ...lifecycle.worst)], requests };
  const change = { ...changeFor(verb, situation), sends: requests.length > 0 };
  const ofVerb = [...lifecycle.effects(change), ...hiddenIdEffects(change, lifecycle)];
  if (verb === "delete") return { effects: change.sends ? prefixed("by `onDelete`, ", ofVerb) : ofVerb, requests };
  const effects = [...ofVerb, ...editEffects(situation, change, ofVerb)];
  if (!change.sends) return storedEffects(situation, effects);
  return { effects: ofVerb.length > 0 ? effects : [...effects, unseenEffect(requests, lifecycle)], requests };
}

/** What a create or an update does that seems to send nothing. */
function storedEffects(situation: Situation, ofDeclaration: readonly ReportedEffect[]): Effects {
  const { lifecycle, isMoved, planned } = situation;
  const effects = ofDeclaration.length > 0 ? ofDeclaration : providerEffects(situation);
  // A new address is reported once, for the organization.
  if (effects.length > 0 || isMoved) return unsent(effects);
  // A value that this update depends on is hidden. If it makes the state uncertain, the update sends again.
  const mayBeSent = planned.updateIfUncertain.requests;
  return { effects: [unseenEffect(mayBeSent, lifecycle)], requests: mayBeSent };
}

const unseenEffect = (mayBeSent: readonly PlannedRequest[], { worst }: Lifecycle): Effect =>
  effect(
    "is updated, with or without a request, for a reason that cannot be seen here",
    ...(mayBeSent.length > 0 ? worst : []),
  );

/** Where the object's id cannot be seen, a plan allows the request for any object. */
function hiddenIdEffects({ sends, inputs }: ObjectChange, { identity }: Lifecycle): Effect[] {
  const hidden = hiddenAs(inputs[identity]);
  return !sends || hidden === undefined ? [] : [effect(`may be for any object: its ${identity} is ${hidden}`)];
}

/** The effect of an update whose only reason is another provider of the state. */
function providerEffects({ step: { before, after }, oldProvider, newProvider }: Situation): Effect[] {
  if (!before || !after || (before.type === after.type && oldProvider === newProvider)) return [];
  return [effect(`managed by another provider from now on${storedText}`)];
}

const prefixed = (prefix: string, effects: readonly Effect[]): Effect[] =>
  effects.map(({ text, risks }) => ({ text: prefix + text, risks }));

/** The situation with the old state of the object. A create may be of an object that had another name before. */
const sourceOf = (verb: ObjectChange["verb"], situation: Situation): Situation | undefined =>
  verb === "create" ? situation.former : situation;

function changeFor(verb: ObjectChange["verb"], situation: Situation): ObjectChange {
  const { step, lifecycle, isUpdate } = situation;
  const inputs = (verb === "delete" ? step.before?.outputs : step.after?.inputs) ?? {};
  const source = sourceOf(verb, situation);
  const old = source?.step.before;
  const before = old?.outputs;
  return {
    verb,
    sends: false,
    before,
    uncertain: before !== undefined && lifecycle.isUncertain(before),
    inputs,
    unattended: old?.inputs.reassertUnattended === true && inputs.reassertUnattended === true,
    moved: source?.isMoved === true,
    applied: isUpdate,
  };
}

/** An effect for each edit that the request does not send. */
function editEffects(situation: Situation, change: ObjectChange, ofVerb: readonly Effect[]): ReportedEffect[] {
  const { step, lifecycle } = situation;
  const { identity, sentProperties, guards } = lifecycle;
  const { after } = step;
  if (!after) return [];
  const old = sourceOf(change.verb, situation)?.step.before;
  const edits = [...editsOf(old?.inputs ?? {}, after.inputs), ...optionEdits(situation)];
  return edits.flatMap((edit) => {
    const isOfRequest = [identity, ...sentProperties].includes(edit.property);
    if (isOfRequest && change.sends) return [];
    const isWithoutEffect = edit.property === "onDelete" && after.retainOnDelete;
    const isLoosened = !isWithoutEffect && loosens(guards, edit, change);
    // Every argument of a new object is an edit.
    if (!old && !isLoosened) return [];
    return editLines(edit).map((line) => {
      const text = asCode(line) + (isOfRequest && ofVerb.length === 0 ? storedText : "");
      return isLoosened ? { ...effect(text, "weakens a guard"), loosened: line } : effect(text);
    });
  });
}

const optionEdits = ({ step: { before, after } }: Situation) =>
  before && after ? editsOf(optionsOf(before), optionsOf(after)) : [];

/** retainOnDelete has no effect without an `onDelete` that sends. */
function optionsOf({ protect, retainOnDelete, inputs }: ResourceState): Values {
  return { protect, ignoreChanges: inputs[ignoredKey], retainOnDelete: retainOnDelete && !retains(inputs) };
}

/** What the line of a replacement by another object begins with: the two ids, and the former name of the new object's resource. */
function replacementLead({ step, lifecycle, name, former }: Situation): string | undefined {
  const from = idIn(step.before, lifecycle);
  const to = idIn(step.after, lifecycle);
  if (from === to || from === undefined || to === undefined) return undefined;
  const formerly = former && former.step.urn !== step.urn ? ` (formerly ${former.name})` : "";
  return `${name}, now ${safeCode(to)}${formerly} instead of ${safeCode(from)}`;
}

function idIn(state: ResourceState | undefined, { identity }: Lifecycle): string | undefined {
  const id = state?.inputs[identity];
  return typeof id === "string" && hiddenAs(id) === undefined ? id : undefined;
}

/** Whether the date is the only reason for the update. A value that is hidden may have changed, so it is another reason. */
function isDueAlone(situation: Situation): boolean {
  const { step, lifecycle, edits } = situation;
  const { op, before, after } = step;
  if (op !== "update" || !before || !after) return false;
  const inputs = secretsAsUnknown(after.inputs);
  if (edits.length > 0 || optionEdits(situation).length > 0 || containsUnknown(inputs)) return false;
  return !lifecycle.isUncertain(before.outputs) && isDue(before.outputs, inputs);
}
