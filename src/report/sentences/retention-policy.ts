import { retentionResources } from "../../contract/index.js";
import type { Values } from "../../resources/lifecycle.js";
import { code, hiddenAs, membersOf } from "../text.js";
import { currentIn, leftAsSet, overwriting, sentence, tense, unlessUnattended, verbsIn, whySent } from "./sentence.js";
import type { Edit, Facts, Sentence, Sentences } from "./sentence.js";
import { reassertSentences } from "./shared-inputs.js";

interface Setting {
  readonly retentionDays: number;
  readonly enabled: boolean;
}

/** Deleted data cannot be restored, so every sentence about a request that may delete some says so. */
export const retentionPolicySentences: Sentences = {
  sent({ body }, facts) {
    const kind = kindOf(facts);
    const after = settingOf({ retentionDays: body.retention_days, enabled: body.enabled });
    const why = whySent(facts);
    if (!after) return [hiddenSetting(kind, facts, why)];
    const before = settingOf(currentIn(facts) ?? {});
    return [before ? changed(kind, before, after, facts, why) : replaced(kind, after, facts, why)];
  },

  nothingSent(facts) {
    if (facts.verb !== "delete") return [];
    const setting = settingOf(currentIn(facts) ?? {});
    return [leftAsSet(facts, kindOf(facts), setting ? ` (${shown(setting)})` : "", true)];
  },

  edits: {
    resource: "request",
    retentionDays: "request",
    enabled: "request",
    allowShortening,
    ...reassertSentences((facts) => `the retention policy of ${kindOf(facts)}`, "sent again"),
  },

  destroy(onDelete, facts) {
    const kind = kindOf(facts);
    const { will } = verbsIn(facts);
    if (onDelete === "disable") {
      const text = `destroy ${will} turn the retention policy of ${kind} off: what happens to the data then is up to the server`;
      return sentence(text, "weakens a guard");
    }
    const setting = settingOf(membersOf(onDelete));
    if (!setting) return sentence(`destroy ${will} leave ${kind} as last set`);
    const text = `destroy ${will} set ${kind} to ${shown(setting)}`;
    const kept = settingOf(facts.inputs);
    const isSafe = setting.enabled && kept?.enabled === true && setting.retentionDays >= kept.retentionDays;
    return isSafe ? sentence(text) : sentence(`${text}: data may be deleted then`, "weakens a guard");
  },

  subject: kindOf,

  renameSaves: (_before, isAvoided) => [isAvoided ? "avoid the request" : "keep the guard for fewer days"],

  unreadable: ["deletes data"],
};

function hiddenSetting(kind: string, facts: Facts, why: string): Sentence {
  const { retentionDays, enabled } = facts.inputs;
  const hidden = hiddenAs(retentionDays) ?? hiddenAs(enabled) ?? "not known yet";
  const subject = hiddenAs(retentionDays)
    ? `how long ${kind} ${tense(facts, "are kept", "were to be kept")}`
    : `whether the retention policy of ${kind} ${verbsIn(facts).is} turned on`;
  return sentence(`${subject} is ${hidden}${why}: ${mayBeDeleted(facts)}`, "deletes data");
}

const mayBeDeleted = (facts: Facts): string => tense(facts, "data may be deleted", "data may have been deleted");

/** For a setting whose previous value is not known. */
function replaced(kind: string, { retentionDays, enabled }: Setting, facts: Facts, why: string): Sentence {
  if (!enabled) return turnedOff(kind, facts, why);
  const text = `${kind} ${tense(facts, "are", "were set to be")} kept ${days(retentionDays)}${why}`;
  return sentence(`${text}: ${olderMayBeDeleted(facts)}`, "deletes data");
}

function olderMayBeDeleted(facts: Facts): string {
  return facts.past
    ? "what had been kept longer may have been deleted"
    : "what has been kept longer until now may be deleted";
}

function changed(kind: string, before: Setting, after: Setting, facts: Facts, why: string): Sentence {
  const [from, to] = [before.retentionDays, after.retentionDays];
  const { is, stays } = verbsIn(facts);
  const deleted = `${kind} older than ${days(to)} ${tense(facts, "will be deleted", "were no longer kept")}`;
  if (before.enabled && !after.enabled) return turnedOff(kind, facts, why);
  if (!before.enabled && after.enabled) {
    const text = `the retention policy of ${kind} ${is} turned on, with ${days(to)}${why}: ${deleted}`;
    return sentence(text, "deletes data");
  }
  if (from === to) return sentAgain(kind, after, facts, why);
  const text = after.enabled
    ? `${kind} ${tense(facts, "are", "were set to be")} kept ${to} instead of ${days(from)}${why}`
    : `the retention policy of ${kind} ${stays} off, with ${to} instead of ${days(from)}${why}`;
  if (to > from) return sentence(text);
  const end = after.enabled ? deleted : mayBeDeleted(facts);
  return sentence(`${text}: ${end}${withoutGuard({ from, to }, facts)}`, "deletes data");
}

/** The guard against fewer days compares with the resource's own state, so it does not see a new resource or name. */
function withoutGuard(step: Step, { verb, inputs, past }: Facts): string {
  if (verb !== "create" || includes(stepsOf(inputs.allowShortening), step)) return "";
  const [did, was] = past ? ["did", "was"] : ["does", "is"];
  return `; the guard for fewer days ${did} not apply here, and no ${written(step)} ${was} declared`;
}

function sentAgain(kind: string, { retentionDays, enabled }: Setting, facts: Facts, why: string): Sentence {
  const setting = `${days(retentionDays)}${enabled ? "" : ", turned off,"}`;
  const text = `${kind} ${verbsIn(facts).are} set to ${setting} again${why}: ${overwriting(facts)}`;
  const risks = unlessUnattended(facts, "deletes data");
  return risks.length === 0 ? sentence(text) : sentence(`${text}, and ${olderMayBeDeleted(facts)}`, ...risks);
}

/** The API does not say what a policy that is off means. */
function turnedOff(kind: string, facts: Facts, why: string): Sentence {
  const { is } = verbsIn(facts);
  const happens = tense(facts, "what happens to the data then is", "what happened to the data was");
  const text = `the retention policy of ${kind} ${is} turned off${why}: ${happens} up to the server`;
  return sentence(text, "deletes data");
}

/** A step that is allowed and not taken now may be taken by a later change, which needs no approval of its own. */
function allowShortening({ old, fresh }: Edit, facts: Facts): Sentence[] {
  const kind = kindOf(facts);
  const hidden = hiddenAs(fresh);
  if (hidden) {
    const text = `which steps to fewer days ${code("allowShortening")} allows for ${kind} is ${hidden}`;
    return [sentence(text, "weakens a guard")];
  }
  const [before, after] = [stepsOf(old), stepsOf(fresh)];
  const added = after.filter((step) => !includes(before, step));
  const removed = before.filter((step) => !includes(after, step));
  const isNot = tense(facts, "is not taken now", "was not taken");
  const open = (step: Step): string =>
    `${written(step)} of ${kind} allows a step that ${isNot}: a later change can take it without another check`;
  const refused = `${verbsIn(facts).is} no longer declared for ${kind}: the step is refused from now on`;
  return [
    ...added.filter((step) => !isTaken(step, facts)).map((step) => sentence(open(step), "weakens a guard")),
    ...added
      .filter((step) => isTaken(step, facts))
      .map((step) => sentence(`${written(step)} ${tense(facts, "allows", "allowed")} the step`)),
    ...removed.map((step) => sentence(`${written(step)} ${refused}`)),
  ];
}

interface Step {
  readonly from: number;
  readonly to: number;
}

function stepsOf(value: unknown): Step[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item): item is Step => {
    const { from, to } = membersOf(item);
    return typeof from === "number" && typeof to === "number";
  });
}

const includes = (steps: readonly Step[], { from, to }: Step): boolean =>
  steps.some((step) => step.from === from && step.to === to);

/** Whether this change takes the step: by its days, or by those of `onDelete`. */
function isTaken({ from, to }: Step, { before, inputs, edits }: Facts): boolean {
  if (before?.retentionDays === from && inputs.retentionDays === to) return true;
  const isNew = edits.some(({ property }) => ["retentionDays", "onDelete"].includes(property));
  const last = settingOf(membersOf(inputs.onDelete));
  return isNew && inputs.retentionDays === from && last?.retentionDays === to;
}

const written = ({ from, to }: Step): string => code(`allowShortening: { from: ${from}, to: ${to} }`);

function settingOf({ retentionDays, enabled }: Values): Setting | undefined {
  if (typeof retentionDays !== "number" || typeof enabled !== "boolean") return undefined;
  return { retentionDays, enabled };
}

function kindOf({ inputs, name }: Facts): string {
  return retentionResources.find((kind) => kind === inputs.resource) ?? `the data of ${name}`;
}

const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

const shown = ({ retentionDays, enabled }: Setting): string => `${days(retentionDays)}${enabled ? "" : ", turned off"}`;
