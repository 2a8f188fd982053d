/** The lines of a report: what each step sends, or does without a request, with its risks. */
import type { PlannedRequest } from "../../client/planned-request.js";
import { changeRisks, worstRisks } from "../../lifecycle/effects/effect.js";
import {
  hiddenAs,
  isUnconfirmed,
  risks as allRisks,
  type ObjectChange,
  type Risk,
} from "../../lifecycle/effects/risk.js";
import { loosens, retains } from "../../lifecycle/effects/guards.js";
import { sameValues } from "../../lifecycle/object.js";
import { isDue } from "../../lifecycle/schedule.js";
import { textOf, type Values } from "../../values/any.js";
import { asCode, safeCode, safeText } from "../output.js";
import type { Op, ResourceState } from "../pulumi/steps.js";
import { editLines, editsOf } from "./edits.js";
import { bodyText, renameAdvice, sentText } from "./sentences.js";
import type { Situation, StepFacts } from "./situations.js";

export interface Change {
  /** Empty for a change of an organization. */
  readonly urn: string;
  readonly op: Op;
  /** The resource type, such as "RetentionPolicy"; "Organization" for a change of an organization. */
  readonly type: string;
  readonly name: string;
  /** The object's id; empty if it cannot be read. */
  readonly id: string;
  /** Empty if it cannot be read. */
  readonly organization: string;
  /** What it does, without a full stop. It is plain text without secrets, and parts in backticks are code. */
  readonly text: string;
  /** The worst first. */
  readonly risks: readonly Risk[];
  readonly requests: readonly PlannedRequest[];
  /** Whether it only sends again what was sent before, because it is due or uncertain. */
  readonly isAgain: boolean;
  /** The file and the line that declare it, such as "organization.yaml:2". */
  readonly place: string | undefined;
}

/** What a change has that sends nothing, unless it says otherwise. */
export const withoutRequest = { risks: [], requests: [], isAgain: false, place: undefined };

export const sortedRisks = (found: readonly Risk[]): Risk[] => allRisks.filter((risk) => found.includes(risk));

/** What puts a whole organization at risk comes first, then the worst risks. The engine's order does not matter. */
export const sortedChanges = (changes: readonly Change[]): Change[] =>
  changes.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

function orderOf({ type, risks, requests, organization, text, id }: Change): string {
  const isOfAll = type === "Organization" && risks.length > 0;
  // The end of the list comes last, so that of two lists that begin alike the longer one is worse.
  const ranks = [...risks.map((risk) => allRisks.indexOf(risk)), allRisks.length];
  const worst = ranks.map((rank) => String.fromCharCode(rank)).join("");
  return [isOfAll ? 0 : 1, worst, requests.length > 0 ? 0 : 1, organization, text, id].join(" ");
}

/** Longest text of a part of a line, characters. It leaves room for commands, which must not be cut. */
const maxPart = 2000;

interface Part {
  readonly text: string;
  readonly risks: readonly Risk[];
}

const part = (text: string, ...risks: Risk[]): Part => ({ text, risks });

/** The line of a step; undefined if it changes nothing that is declared. */
export function lineOf(situation: Situation): Change | undefined {
  const { step, lifecycle, name, place, declared, planned } = situation;
  const parts = partsOf(situation);
  if (parts.length === 0) return undefined;
  const values = declared ?? step.before?.outputs ?? {};
  const shown = (value: unknown) => (typeof value === "string" ? safeText(value) : "");
  const requests = Object.values(planned).flat();
  return {
    urn: safeText(step.urn, Infinity),
    // The engine has no operation for a resource whose new inputs it only stores.
    op: step.op ?? "update",
    type: lifecycle.type,
    name,
    id: shown(values[lifecycle.identity]),
    organization: shown(values.organization),
    text: `${name}: ${parts.map(({ text }) => safeText(text, maxPart)).join("; ")}`,
    risks: sortedRisks(parts.flatMap(({ risks }) => risks)),
    requests,
    isAgain: requests.length > 0 && isAgain(situation),
    place,
  };
}

function partsOf(situation: Situation): Part[] {
  const { step } = situation;
  switch (step.op) {
    case undefined:
      return step.same ? keptParts(situation) : [];
    case "import":
      return [part("taken over as it is, without a request")];
    case "create":
    case "update":
      return verbParts(step.op, situation);
    case "replace":
      return [...verbParts("create", situation), ...formerParts(situation)];
    case "delete":
      return oldParts(situation);
  }
}

/** New inputs that the engine stores without asking the provider. */
function keptParts(situation: Situation): Part[] {
  const edits = editParts(situation, changeFor("update", situation, false));
  return edits.length === 0 ? [] : storedParts(edits);
}

/** What a replacement does to the object of its old state. */
function formerParts(situation: Situation): Part[] {
  const { step, lifecycle, declarer, declared = {} } = situation;
  const { before } = step;
  if (before === undefined || declarer?.step === step) return doubtParts(situation);
  const [oldId, id] = [before, { inputs: declared }].map(({ inputs }) => inputs[lifecycle.identity]);
  const former = `the former ${oldId === id ? `object of ${safeCode(textOf(before.outputs.organization))}` : safeCode(textOf(oldId))}`;
  return oldParts(situation).map(({ text, risks }) => ({ text: `${former}: ${text}`, risks }));
}

/** What becomes of the object of an old state, which nothing or another resource declares now. */
function oldParts(situation: Situation): Part[] {
  const { declarer } = situation;
  return declarer ? renameParts(situation, declarer) : [...verbParts("delete", situation), ...doubtParts(situation)];
}

/** The doubt about an uncertain state that is given up, unless a request of this step, or of the one that declares the object, ends it. */
function doubtParts({ step: { before }, lifecycle, planned, declarer }: Situation): Part[] {
  if (before === undefined || !lifecycle.isUncertain(before.outputs)) return [];
  const ending = [planned.delete, declarer?.planned.create, declarer?.planned.update];
  return ending.some((requests = []) => requests.length > 0) ? [] : [part(lifecycle.doubt.replace(/\.$/, ""))];
}

function verbParts(verb: ObjectChange["verb"], situation: Situation): Part[] {
  const { lifecycle, planned, isMoved } = situation;
  const requests = planned[verb] ?? [];
  const change = changeFor(verb, situation, requests.length > 0);
  const found = changeRisks(lifecycle, change);
  const edits = verb === "delete" ? [] : editParts(situation, change);
  const body = bodyText(situation, change);
  if (change.sends) {
    const isOpen = lifecycle.bodyProperties.length > 0 && requests.some(({ body }) => body === undefined);
    const risks = [...(isOpen ? worstRisks(lifecycle) : []), ...found];
    const isElsewhere = requests.some(({ address }) => address === undefined);
    return [
      part(sentText(situation, change, body, isElsewhere), ...risks, ...(isElsewhere ? [elsewhere] : [])),
      ...edits,
    ];
  }
  switch (verb) {
    case "create":
      return [part(`adopted without a request${body === "" ? "" : `:${body}`}`, ...found), ...edits];
    case "delete":
      return [part("no longer managed, left as it is", ...found)];
    case "update":
      // A new address is reported once, for the organization.
      return edits.length > 0 || found.length > 0 || !isMoved ? storedParts(edits, found) : [];
  }
}

const elsewhere: Risk = "sends the token elsewhere";

const storedParts = (edits: readonly Part[], found: readonly Risk[] = []): Part[] => [
  ...edits,
  part("stored without a request", ...found),
];

/** The step with the old state of the object. A create may be of an object that had another name before. */
const sourceOf = (verb: ObjectChange["verb"], situation: Situation) =>
  verb === "create" ? situation.former : situation;

function changeFor(verb: ObjectChange["verb"], situation: Situation, sends: boolean): ObjectChange {
  const { step, declared = {} } = situation;
  const old = sourceOf(verb, situation)?.step.before;
  const oldAddress = old?.outputs.address;
  const isElsewhere = oldAddress !== undefined && declared.address !== undefined && oldAddress !== declared.address;
  return {
    verb,
    sends,
    before: old?.outputs,
    inputs: (verb === "delete" ? step.before?.outputs : declared) ?? {},
    moved: verb === "create" ? isElsewhere : situation.isMoved,
  };
}

/** A part for each edit that the body of the request does not show. */
function editParts(situation: Situation, change: ObjectChange): Part[] {
  const { step, lifecycle } = situation;
  const { identity, bodyProperties, guards } = lifecycle;
  const { after } = step;
  if (!after) return [];
  const old = sourceOf(change.verb, situation)?.step.before;
  const edits = [...editsOf(old?.inputs ?? {}, after.inputs), ...optionEdits(situation)];
  return edits.flatMap((edit) => {
    if (change.sends && [identity, ...bodyProperties].includes(edit.property)) return [];
    const isWithoutEffect = edit.property === "onDelete" && after.retainOnDelete;
    const isLoosened = !isWithoutEffect && loosens(guards, edit, change);
    // Every argument of a new object is an edit.
    if (!old && !isLoosened) return [];
    return editLines(edit).map((line) => part(asCode(line), ...(isLoosened ? (["weakens a guard"] as const) : [])));
  });
}

const optionEdits = ({ step: { before, after } }: Situation) =>
  before && after ? editsOf(optionsOf(before), optionsOf(after)) : [];

/** retainOnDelete has no effect without an `onDelete` that sends. */
function optionsOf({ protect, retainOnDelete, inputs }: ResourceState): Values {
  return { protect, retainOnDelete: retainOnDelete && !retains(inputs) };
}

/** Whether a date or a doubt is the only reason to send again what was sent before. A value that is hidden may have changed. */
function isAgain(situation: Situation): boolean {
  const { step, lifecycle, declared, isMoved, isUnexplained } = situation;
  const { op, before, after } = step;
  if (op !== "update" || !before || !after || isMoved || isUnexplained || isUnconfirmed(before.outputs)) return false;
  if (optionEdits(situation).length > 0 || hiddenAs(declared) !== undefined) return false;
  const edits = editsOf(before.inputs, after.inputs);
  if (!lifecycle.isUncertain(before.outputs)) return edits.length === 0 && isDue(before.outputs, after.inputs);
  // After a lost answer, the engine has the inputs of before. The outputs have the triggers that were sent, but no values of a setting.
  return edits.every(({ property }) => sameValues(before.outputs, after.inputs, [property]));
}

/** What the old name of an object does if the program declares the object in another resource. */
function renameParts({ step, name: oldName }: Situation, to: StepFacts): Part[] {
  // A resource that had another object before has a name that an alias cannot take from it.
  if (to.step.op !== "create" || step.op !== "delete") return [part(`now declared by ${to.name}, sends nothing here`)];
  const advice = renameAdvice(step, to.step, to.place);
  return [part(`renamed to ${to.name}, sends nothing for the old name: ${advice} to keep the state of ${oldName}`)];
}
