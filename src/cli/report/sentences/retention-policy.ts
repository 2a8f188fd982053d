import { retentionResources } from "../../../contract.js";
import type { Values } from "../../../resources/lifecycle.js";
import { hiddenAs } from "../secrets.js";
import { code } from "../text.js";
import {
  because,
  dueReason,
  lostReason,
  sentence,
  tense,
  toldByRequest,
  undoing,
  unlessUnattended,
  type Edit,
  type Facts,
  type Sentence,
  type Sentences,
} from "./sentence.js";
import { periodWords, unattendedWords } from "./schedule.js";

interface Setting {
  readonly retentionDays: number;
  readonly enabled: boolean;
}

/** Data that is deleted does not come back, so whatever may delete some says so. */
export const retentionPolicySentences: Sentences = {
  sent({ body }, facts) {
    const kind = kindOf(facts);
    const after = settingOf({ retentionDays: body.retention_days, enabled: body.enabled });
    const why = because(dueReason(facts), lostReason(facts));
    if (!after) return [unseen(kind, facts, why)];
    const before = facts.lost ? undefined : settingOf(facts.before ?? {});
    return [before ? changed(kind, before, after, facts, why) : replaced(kind, after, facts, why)];
  },

  nothingSent(facts) {
    if (facts.verb !== "delete") return [];
    const setting = settingOf(facts.before ?? {});
    const last = setting ? ` (${days(setting.retentionDays)}${setting.enabled ? "" : ", turned off"})` : "";
    const text = tense(
      facts,
      "are no longer managed and stay as last set",
      "were no longer managed and stayed as last set",
    );
    return [sentence(`${kindOf(facts)} ${text}${last}`, "leaves things behind")];
  },

  edits: {
    resource: toldByRequest,
    retentionDays: toldByRequest,
    enabled: toldByRequest,
    allowShortening,
    reassertAfter: periodWords(
      "reassertOn",
      (facts) => `the retention policy of ${kindOf(facts)}`,
      () => "sent again",
    ),
    reassertUnattended: unattendedWords,
  },

  destroy(onDelete, facts) {
    const kind = kindOf(facts);
    const will = tense(facts, "will", "is to");
    const hidden = hiddenAs(onDelete);
    if (hidden) return sentence(`what destroy ${will} do to ${kind} is ${hidden}`, "weakens a guard");
    if (onDelete === "disable") {
      const text = `destroy ${will} turn the retention policy of ${kind} off: what happens to the data then is up to the server`;
      return sentence(text, "weakens a guard");
    }
    const setting = settingOf(membersOf(onDelete));
    if (!setting) return sentence(`destroy ${will} leave ${kind} as last set`);
    const text = `destroy ${will} set ${kind} to ${days(setting.retentionDays)}${setting.enabled ? "" : ", turned off"}`;
    const kept = settingOf(facts.inputs);
    const isSafe = setting.enabled && kept?.enabled === true && setting.retentionDays >= kept.retentionDays;
    return isSafe ? sentence(text) : sentence(`${text}: data may be deleted then`, "weakens a guard");
  },

  renameSaves: "the request",

  unreadable: ["deletes data"],
};

function unseen(kind: string, facts: Facts, why: string): Sentence {
  const { retentionDays, enabled } = facts.inputs;
  const hidden = hiddenAs(retentionDays) ?? hiddenAs(enabled) ?? "not known yet";
  const subject = hiddenAs(retentionDays)
    ? `how long ${kind} ${tense(facts, "are kept", "were to be kept")}`
    : `whether the retention policy of ${kind} ${tense(facts, "is", "was")} turned on`;
  const end = tense(facts, "data may be deleted", "data may have been deleted");
  return sentence(`${subject} is ${hidden}${why}: ${end}`, "deletes data");
}

/** What was kept until now is not known. */
function replaced(kind: string, { retentionDays, enabled }: Setting, facts: Facts, why: string): Sentence {
  if (!enabled) return turnedOff(kind, facts, why);
  const text = `${kind} ${tense(facts, "are", "were set to be")} kept ${days(retentionDays)}${why}`;
  return sentence(`${text}: ${longerUntilNow(facts)}`, "deletes data");
}

function longerUntilNow(facts: Facts): string {
  return tense(
    facts,
    "what has been kept longer until now may be deleted",
    "what had been kept longer may have been deleted",
  );
}

function changed(kind: string, before: Setting, after: Setting, facts: Facts, why: string): Sentence {
  const [from, to] = [before.retentionDays, after.retentionDays];
  const is = tense(facts, "is", "was");
  const deleted = `${kind} older than ${days(to)} ${tense(facts, "will be deleted", "were no longer kept")}`;
  if (before.enabled && !after.enabled) return turnedOff(kind, facts, why);
  if (!before.enabled && after.enabled) {
    const text = `the retention policy of ${kind} ${is} turned on, with ${days(to)}${why}: ${deleted}`;
    return sentence(text, "deletes data");
  }
  if (from === to) return again(kind, after, facts, why);
  const text = after.enabled
    ? `${kind} ${tense(facts, "are", "were set to be")} kept ${to} instead of ${days(from)}${why}`
    : `the retention policy of ${kind} ${tense(facts, "stays", "stayed")} off, with ${to} instead of ${days(from)}${why}`;
  if (to > from) return sentence(text);
  const end = after.enabled ? deleted : tense(facts, "data may be deleted", "data may have been deleted");
  return sentence(`${text}: ${end}${unchecked(from, to, facts)}`, "deletes data");
}

/** What is made anew, or under another name, passes the guard for fewer days, which compares with the resource's own past. */
function unchecked(from: number, to: number, { verb, inputs, past }: Facts): string {
  if (verb !== "create" || allows(inputs.allowShortening, from, to)) return "";
  const line = code(`allowShortening: { from: ${from}, to: ${to} }`);
  return past
    ? `; the guard for fewer days did not hold here, and no ${line} was declared`
    : `; the guard for fewer days does not hold here, and no ${line} is declared`;
}

function again(kind: string, { retentionDays, enabled }: Setting, facts: Facts, why: string): Sentence {
  const setting = `${days(retentionDays)}${enabled ? "" : ", turned off,"}`;
  const text = `${kind} ${tense(facts, "are", "were")} set to ${setting} again${why}: ${undoing(facts)}`;
  const risks = unlessUnattended(facts, "deletes data");
  return risks.length === 0 ? sentence(text) : sentence(`${text}, and ${longerUntilNow(facts)}`, ...risks);
}

/** The interface does not say what a policy that is off means. */
function turnedOff(kind: string, facts: Facts, why: string): Sentence {
  const end = tense(
    facts,
    "what happens to the data then is up to the server",
    "what happened to the data was up to the server",
  );
  return sentence(
    `the retention policy of ${kind} ${tense(facts, "is", "was")} turned off${why}: ${end}`,
    "deletes data",
  );
}

/** A step that is allowed and not taken now may be taken by a later change, which then nobody has to acknowledge. */
function allowShortening({ old, fresh }: Edit, facts: Facts): Sentence[] {
  const kind = kindOf(facts);
  const hidden = hiddenAs(fresh);
  if (hidden)
    return [
      sentence(
        `which steps to fewer days ${code("allowShortening")} allows for ${kind} is ${hidden}`,
        "weakens a guard",
      ),
    ];
  const [before, after] = [stepsOf(old), stepsOf(fresh)];
  const has = (steps: readonly Step[], { from, to }: Step) =>
    steps.some((step) => step.from === from && step.to === to);
  const added = after.filter((step) => !has(before, step));
  const taken = added.filter((step) => isTaken(step, facts));
  const open = added.filter((step) => !isTaken(step, facts));
  const removed = before.filter((step) => !has(after, step));
  return [
    ...open.map((step) =>
      sentence(
        `${written(step)} of ${kind} allows a step that ${tense(facts, "is not taken now", "was not taken")}: ` +
          "a later change may take it without a word",
        "weakens a guard",
      ),
    ),
    ...taken.map((step) => sentence(`${written(step)} ${tense(facts, "allows", "allowed")} the step`)),
    ...removed.map((step) =>
      sentence(
        `${written(step)} ${tense(facts, "is", "was")} no longer declared for ${kind}: the step is refused from now on`,
      ),
    ),
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

function allows(allowed: unknown, from: number, to: number): boolean {
  return stepsOf(allowed).some((step) => step.from === from && step.to === to);
}

/** By the days themselves, or by what destroy is to set. */
function isTaken({ from, to }: Step, { before, inputs, edits }: Facts): boolean {
  if (before?.retentionDays === from && inputs.retentionDays === to) return true;
  const isNew = edits.some(({ property }) => ["retentionDays", "onDelete"].includes(property));
  const last = settingOf(membersOf(inputs.onDelete));
  return isNew && inputs.retentionDays === from && last?.retentionDays === to;
}

function written({ from, to }: Step): string {
  return code(`allowShortening: { from: ${from}, to: ${to} }`);
}

function membersOf(value: unknown): Values {
  return typeof value === "object" && value !== null ? (value as Values) : {};
}

function settingOf({ retentionDays, enabled }: Values): Setting | undefined {
  if (typeof retentionDays !== "number" || typeof enabled !== "boolean") return undefined;
  return { retentionDays, enabled };
}

function kindOf({ inputs, name }: Facts): string {
  return retentionResources.find((kind) => kind === inputs.resource) ?? `the data of ${name}`;
}

function days(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}
