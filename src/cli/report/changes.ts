/** What one step does to its object, as text. */
import { containsUnknown } from "../../values/engine.js";
import { dryRun } from "../../lifecycle/dry-run.js";
import { effect, hiddenAs, type Change as ObjectChange, type Effect } from "../../lifecycle/effects/effect.js";
import { loosens } from "../../lifecycle/effects/guards.js";
import { isUncertain } from "../../lifecycle/lost-answer.js";
import type { Lifecycle, Values } from "../../lifecycle/lifecycle.js";
import type { OrganizationScoped } from "../../lifecycle/object.js";
import { retains } from "../../lifecycle/on-delete.js";
import { knownState } from "../../lifecycle/import-file.js";
import { isDue } from "../../lifecycle/schedule.js";
import { linesOf } from "./diff.js";
import type { PlaceOf } from "../../organization-file/places.js";
import { providerName, type PreviewContext } from "./preview-context.js";
import type { Op, ResourceState, Step } from "../pulumi/preview-or-update.js";
import { renameEffects } from "./renames.js";
import { editsOf, declarationOf } from "./resources.js";
import { compareRisks, risksOf, type Risk } from "./risks.js";
import { code, plain, plainName, secretsAsUnknown } from "./text.js";

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
  /** Effects, the worst first, without a full stop. Plain text without secrets; parts in backticks are code. */
  readonly text: string;
  /** The worst first. */
  readonly risks: readonly Risk[];
  /** How many requests it sends. */
  readonly requests: number;
  /** Whether it only sends again, by date and without a risk, what was approved before. */
  readonly dueAlone: boolean;
  /** The declared values before and after: one line for each input. */
  readonly diff: readonly string[];
  /** The file and the line that declare it, such as "organization.yaml:2". */
  readonly place: string | undefined;
}

/** Longest text of an effect, characters. A command must not be cut. */
const maxEffect = 2000;

interface Effects {
  /** Before the texts. Default: the object's name. */
  readonly lead?: string;
  readonly effects: readonly Effect[];
  /** Default: none. */
  readonly requests?: number;
}

/** An empty list if nothing declared changes. */
export async function changeOf(
  step: Step,
  lifecycle: Lifecycle,
  context: PreviewContext,
  placeOf: PlaceOf,
): Promise<Change[]> {
  const { lead, effects, requests = 0 } = await effectsOf(step, lifecycle, context, placeOf);
  if (effects.length === 0) return [];
  const sorted = effects.toSorted((a, b) => compareRisks(a.risks, b.risks));
  const { op = "update", before, after, unfinished } = step;
  const values = after?.inputs ?? before?.outputs ?? {};
  const textOf = (value: unknown) => (typeof value === "string" ? plain(value) : "");
  const name = plainName(context.nameOf(step.urn));
  const risks = risksOf(sorted);
  const lines = sorted.map(({ text }) => plain(text, maxEffect)).join("; ");
  return [
    {
      op,
      type: lifecycle.type,
      name,
      id: textOf(values[lifecycle.identity]),
      organization: textOf(values.organization),
      text: [...(unfinished ? ["did not finish"] : []), lead ?? subjectOf(lifecycle, values, name), lines].join(": "),
      risks,
      requests,
      dueAlone: risks.length === 0 && isDueAlone(step),
      diff: editsOf(before?.inputs ?? {}, after?.inputs ?? {}).flatMap(linesOf),
      place: placeIn(step, lifecycle, placeOf),
    },
  ];
}

export function placeIn(step: Step, { type, identity }: Lifecycle, placeOf: PlaceOf): string | undefined {
  const { urn, before, after } = step;
  if (!after) return undefined;
  const edited = before ? editsOf(before.inputs, after.inputs).map(({ property }) => property) : [];
  return placeOf({ type, ...declarationOf(urn, after.parent), id: after.inputs[identity], edited });
}

const subjectOf = ({ subject }: Lifecycle, values: Values, name: string): string => subject?.(values, name) ?? name;

/** A hidden value may be an edit. That of an initial secret sends nothing. */
function isDueAlone({ op, before, after }: Step): boolean {
  if (op !== "update" || !before || !after) return false;
  const { initialSecret: _, ...inputs } = secretsAsUnknown(after.inputs);
  const isEdited =
    editsOf(before.inputs, after.inputs).length > 0 || editsOf(optionsOf(before), optionsOf(after)).length > 0;
  return !isEdited && !containsUnknown(inputs) && !isUncertain(before.outputs) && isDue(before.outputs, inputs);
}

async function effectsOf(
  step: Step,
  lifecycle: Lifecycle,
  context: PreviewContext,
  placeOf: PlaceOf,
): Promise<Effects> {
  const renames = () => renameEffects(step, lifecycle, context, (to) => placeIn(to, lifecycle, placeOf));
  const { op, before, after } = step;
  const isStillDeclared = before !== undefined && context.declarerOf(before) !== undefined;
  switch (op) {
    case undefined: {
      if (!step.same) return { effects: [] };
      return { effects: editEffects(step, changeFor("update", step, lifecycle, context), lifecycle, context, []) };
    }
    case "import":
      return { effects: [effect("taken over as it is, without a request")] };
    case "delete": {
      if (!isStillDeclared) return verbEffects(op, step, lifecycle, context);
      const lead = plainName(context.nameOf(step.urn));
      const renamed = await renames();
      if (renamed.length > 0) return { lead, effects: renamed };
      return { effects: [effect("declared elsewhere in the program; sends nothing here")] };
    }
    case "create":
    case "update":
      return verbEffects(op, step, lifecycle, context);
    case "replace": {
      const fresh = { ...leadOf(step, lifecycle, context), ...(await verbEffects("create", step, lifecycle, context)) };
      if (isStillDeclared) return { ...fresh, effects: [...fresh.effects, ...(await renames())] };
      // What is said of the organization says that the objects of the old one are no longer managed.
      if (before === undefined || context.isForeign(before)) return fresh;
      const deleted = await verbEffects("delete", step, lifecycle, context);
      const isSameObject = idIn(before, lifecycle) === idIn(after, lifecycle);
      const whose = isSameObject
        ? plainName(String(before.outputs.organization))
        : subjectOf(lifecycle, before.outputs, `the former ${plainName(context.nameOf(step.urn))}`);
      const effects = [...fresh.effects, ...prefixed(`${whose}: `, deleted.effects)];
      return { ...fresh, effects, requests: (fresh.requests ?? 0) + (deleted.requests ?? 0) };
    }
  }
}

async function verbEffects(
  verb: ObjectChange["verb"],
  step: Step,
  lifecycle: Lifecycle,
  context: PreviewContext,
): Promise<Effects> {
  const { before } = step;
  const change = changeFor(verb, step, lifecycle, context);
  const isRetained = verb === "delete" && before !== undefined && (before.retainOnDelete || context.isForeign(before));
  const state = (verb === "update" ? change.before : before?.outputs) ?? {};
  const sent = isRetained ? [] : await dryRun(lifecycle, { verb, state, inputs: secretsAsUnknown(change.inputs) });
  if (!sent)
    return { effects: [effect("what happens cannot be read from these values", ...lifecycle.worst)], requests: 1 };
  const [sends, requests] = [sent.length > 0, sent.length];
  // What an import file says of an object is adopted by the first update.
  const isAdopted = !sends && verb === "update" && change.inputs.__imported === true;
  const acts = lifecycle.effects({ ...change, sends, ...(isAdopted && { verb: "create" }) });
  if (verb === "delete") return { effects: sends ? prefixed("by `onDelete`, ", acts) : acts, requests };
  const edits = [...acts, ...editEffects(step, { ...change, sends }, lifecycle, context, acts)];
  const effects = edits.length > 0 ? edits : providerEffects(step);
  // A new address is reported once, for the organization.
  const isSaid = effects.length > 0 || context.isMoved(step);
  const isExplained = sends ? acts.length > 0 : verb === "create" || (isSaid && !isSentUnseen(step));
  if (isExplained) return { effects, requests };
  const unseen = step.result ? "sent a request for a reason" : "is updated, with or without a request, for a reason";
  return {
    effects: [...effects, effect(`${unseen} that cannot be seen here`, ...lifecycle.worst)],
    requests: Math.max(requests, 1),
  };
}

/** Each request gives its row another id, and so does the end of a doubt about the last one. An id that is hidden says nothing. */
function isSentUnseen({ before, result }: Step): boolean {
  const [old, fresh] = [before?.outputs, result].map((outputs) => outputs?.requestId);
  if (hiddenAs(old)) return true;
  return typeof old === "string" && typeof fresh === "string" && old !== fresh && !isUncertain(before?.outputs ?? {});
}

/** The engine updates a row that gets another provider. */
function providerEffects({ before, after }: Step): Effect[] {
  const [old, fresh] = [before, after].map((state) => state && [state.type, providerName(state.provider)].join(" "));
  if (!before || !after || old === fresh) return [];
  return [effect(`managed by another provider from now on${stored}`)];
}

const stored = ": stored without a request";

const prefixed = (prefix: string, effects: readonly Effect[]): Effect[] =>
  effects.map(({ text, risks }) => ({ text: prefix + text, risks }));

/** The step with the old state of the object. */
const formerStep = (verb: ObjectChange["verb"], step: Step, { formerly }: PreviewContext): Step | undefined =>
  verb === "create" ? step.after && formerly(step.after) : step;

function changeFor(
  verb: ObjectChange["verb"],
  step: Step,
  lifecycle: Lifecycle,
  context: PreviewContext,
): ObjectChange {
  const inputs = (verb === "delete" ? step.before?.outputs : step.after?.inputs) ?? {};
  const old = formerStep(verb, step, context);
  const known = old?.before;
  return {
    verb,
    sends: false,
    before: known && knownState(lifecycle, known.outputs as OrganizationScoped, inputs as OrganizationScoped),
    inputs,
    unattended: known?.inputs.reassertUnattended === true && inputs.reassertUnattended === true,
    moved: old !== undefined && context.isMoved(old),
    applied: context.isUpdate,
  };
}

/** The lines of edits, except those that the request is about; of a new object, only those with a risk. */
function editEffects(
  step: Step,
  change: ObjectChange,
  lifecycle: Lifecycle,
  context: PreviewContext,
  acts: readonly Effect[],
): Effect[] {
  const { identity, sentProperties, guards } = lifecycle;
  const { before, after } = step;
  if (!after) return [];
  const known = formerStep(change.verb, step, context)?.before;
  const options = before ? editsOf(optionsOf(before), optionsOf(after)) : [];
  return [...editsOf(known?.inputs ?? {}, after.inputs), ...options].flatMap((edit) => {
    const isSent = [identity, ...sentProperties].includes(edit.property);
    const isKept = edit.property === "onDelete" && after.retainOnDelete;
    const risks = !isKept && loosens(guards, edit, change) ? (["weakens a guard"] as const) : [];
    if ((isSent && change.sends) || (!known && risks.length === 0)) return [];
    return linesOf(edit).map((line) => effect(code(line) + (isSent && acts.length === 0 ? stored : ""), ...risks));
  });
}

/** retainOnDelete has no effect without an `onDelete` that sends. */
function optionsOf({ options, retainOnDelete, inputs }: ResourceState): Values {
  return { ...options, retainOnDelete: retainOnDelete && !retains(inputs) };
}

/** For a replacement by another object: which two, and the other one's former name. */
function leadOf(step: Step, lifecycle: Lifecycle, context: PreviewContext): Pick<Effects, "lead"> {
  const { before, after } = step;
  const [from, to] = [idIn(before, lifecycle), idIn(after, lifecycle)];
  if (!after || from === to || from === undefined || to === undefined) return {};
  const old = context.formerly(after);
  const name = old && old.urn !== step.urn ? ` (formerly ${plainName(context.nameOf(old.urn))})` : "";
  const now = `${code(plain(to))}${name} instead of ${code(plain(from))}`;
  return { lead: `${plainName(context.nameOf(step.urn))}, now ${now}` };
}

function idIn(state: ResourceState | undefined, { identity }: Lifecycle): string | undefined {
  const id = state?.inputs[identity];
  return typeof id === "string" && hiddenAs(id) === undefined ? id : undefined;
}
