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
import { sendsNothing } from "../situations/planned.js";
import type { Situation } from "../situations/situations.js";
import { asCode, safeCode, safeName } from "../../output.js";

/** An effect, and the line of the difference that loosens a guard, if it has one. */
interface ReportedEffect extends Effect {
  readonly loosened?: string;
}

interface Effects {
  /** What the line begins with. Default: what sentences call the object. */
  readonly lead?: string;
  readonly effects: readonly ReportedEffect[];
  readonly requests?: readonly PlannedRequest[];
}

interface StepEffects extends Required<Effects> {
  readonly loosened: readonly string[];
  /** Whether it only sends again, by date and without a risk, what was approved before. */
  readonly dueAlone: boolean;
}

export function effectsOf(situation: Situation): StepEffects {
  const { step, lifecycle, name } = situation;
  const { lead, effects, requests = [] } = operationEffects(situation);
  const values = step.after?.inputs ?? step.before?.outputs ?? {};
  const dueAlone = effects.every(({ risks }) => risks.length === 0) && isDueAlone(situation);
  const loosened = effects.flatMap((each) => each.loosened ?? []);
  return { lead: lead ?? subjectOf(lifecycle, values, name), effects, requests, loosened, dueAlone };
}

function operationEffects(situation: Situation): Effects {
  const { step, name, declarer } = situation;
  switch (step.op) {
    case undefined:
      return { effects: step.same ? editEffects(situation, changeFor("update", situation), []) : [] };
    case "import":
      return { effects: [effect("taken over as it is, without a request")] };
    case "create":
    case "update":
      return verbEffects(step.op, situation);
    case "delete": {
      const doubt = doubtEffects(situation);
      if (!declarer) {
        const deleted = verbEffects("delete", situation);
        return { ...deleted, effects: [...deleted.effects, ...doubt] };
      }
      const renamed = renameEffects(situation);
      if (renamed.length > 0) return { lead: name, effects: [...renamed, ...doubt] };
      return { effects: [effect("declared elsewhere in the program; sends nothing here"), ...doubt] };
    }
    case "replace": {
      const replaced = replaceEffects(situation);
      return { ...replaced, effects: [...replaced.effects, ...doubtEffects(situation)] };
    }
  }
}

/** The doubt about an uncertain state that is given up, unless a request of this step, or of the one that declares the object, ends it. */
function doubtEffects({ step: { before }, lifecycle, planned, declarer }: Situation): Effect[] {
  if (!before || !lifecycle.isUncertain(before.outputs)) return [];
  const ofDeclarer = declarer ? [declarer.planned.create, declarer.planned.update] : [];
  if (![planned.delete, ...ofDeclarer].every(sendsNothing)) return [];
  return [effect(lifecycle.doubt.replace(/\.$/, ""))];
}

function replaceEffects(situation: Situation): Effects {
  const { step, lifecycle, name, declarer, isOfOtherOrganization } = situation;
  const { before, after } = step;
  const fresh = { ...leadOf(situation), ...verbEffects("create", situation) };
  if (declarer) return { ...fresh, effects: [...fresh.effects, ...renameEffects(situation)] };
  // The line about the organization says that the objects of the old one are no longer managed.
  if (before === undefined || isOfOtherOrganization) return fresh;
  const deleted = verbEffects("delete", situation);
  const isSameObject = idIn(before, lifecycle) === idIn(after, lifecycle);
  const whose = isSameObject
    ? safeName(textOf(before.outputs.organization))
    : subjectOf(lifecycle, before.outputs, `the former ${name}`);
  const effects = [...fresh.effects, ...prefixed(`${whose}: `, deleted.effects)];
  return { ...fresh, effects, requests: [...(fresh.requests ?? []), ...(deleted.requests ?? [])] };
}

const subjectOf = ({ subject }: Lifecycle, values: Values, name: string): string => subject?.(values, name) ?? name;

function verbEffects(verb: ObjectChange["verb"], situation: Situation): Effects {
  const { lifecycle, isMoved, planned } = situation;
  const { requests, isReadable } = planned[verb];
  if (!isReadable)
    return { effects: [effect("what happens cannot be read from these values", ...lifecycle.worst)], requests };
  const sends = requests.length > 0;
  const change = { ...changeFor(verb, situation), sends };
  const ofObject = lifecycle.effects(change);
  const ofVerb = sends ? [...ofObject, ...hiddenIdEffects(change.inputs, lifecycle)] : ofObject;
  if (verb === "delete") return { effects: sends ? prefixed("by `onDelete`, ", ofVerb) : ofVerb, requests };
  const ofDeclaration = [...ofVerb, ...editEffects(situation, change, ofVerb)];
  const effects = ofDeclaration.length > 0 ? ofDeclaration : providerEffects(situation);
  // A new address is reported once, for the organization.
  const isExplained = sends ? ofVerb.length > 0 : verb === "create" || effects.length > 0 || isMoved;
  if (isExplained) return { effects, requests };
  // A value that this update depends on is hidden. If it makes the state uncertain, the update sends again.
  const mayBeSent = sends ? requests : planned.updateIfUncertain.requests;
  const risks = mayBeSent.length > 0 ? lifecycle.worst : [];
  const unseen = effect("is updated, with or without a request, for a reason that cannot be seen here", ...risks);
  return { effects: [...effects, unseen], requests: mayBeSent };
}

/** Where the object's id cannot be seen, a plan allows the request for any object. */
function hiddenIdEffects(values: Values, { identity }: Lifecycle): Effect[] {
  const hidden = hiddenAs(values[identity]);
  return hidden === undefined ? [] : [effect(`may be for any object: its ${identity} is ${hidden}`)];
}

/** The effect of an update whose only reason is another provider of the state. */
function providerEffects({ step: { before, after }, oldProvider, newProvider }: Situation): Effect[] {
  if (!before || !after || (before.type === after.type && oldProvider === newProvider)) return [];
  return [effect(`managed by another provider from now on${stored}`)];
}

const stored = ": stored without a request";

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

/** An effect for each edit that the request does not send. Of a new object, only edits with a risk count. */
function editEffects(situation: Situation, change: ObjectChange, ofVerb: readonly Effect[]): ReportedEffect[] {
  const { step, lifecycle } = situation;
  const { identity, sentProperties, guards } = lifecycle;
  const { after } = step;
  if (!after) return [];
  const source = sourceOf(change.verb, situation);
  const old = source?.step.before;
  const edits = source === situation && old ? situation.edits : editsOf(old?.inputs ?? {}, after.inputs);
  return [...edits, ...optionEdits(situation)].flatMap((edit) => {
    const isOfRequest = [identity, ...sentProperties].includes(edit.property);
    const isWithoutEffect = edit.property === "onDelete" && after.retainOnDelete;
    const isLoosened = !isWithoutEffect && loosens(guards, edit, change);
    if ((isOfRequest && change.sends) || (!old && !isLoosened)) return [];
    return editLines(edit).map((line) => {
      const text = asCode(line) + (isOfRequest && ofVerb.length === 0 ? stored : "");
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
function leadOf({ step, lifecycle, name, former }: Situation): Pick<Effects, "lead"> {
  const [from, to] = [idIn(step.before, lifecycle), idIn(step.after, lifecycle)];
  if (from === to || from === undefined || to === undefined) return {};
  const formerly = former && former.step.urn !== step.urn ? ` (formerly ${former.name})` : "";
  return { lead: `${name}, now ${safeCode(to)}${formerly} instead of ${safeCode(from)}` };
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
