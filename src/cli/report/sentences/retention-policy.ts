import { retentionResources } from "../../../contract/index.js";
import type { Values } from "../../../resources/lifecycle.js";
import { code, hiddenAs, membersOf } from "../text.js";
import {
  adoptedAs,
  currentIn,
  isUnconfirmed,
  leftAsSet,
  overwrites,
  sentence,
  unlessUnattended,
  whySent,
} from "./sentence.js";
import type { Edit, Facts, Sentence, Sentences } from "./sentence.js";
import { daysText, sendingSentences } from "./shared-inputs.js";

interface Setting {
  readonly retentionDays: number;
  readonly enabled: boolean;
}

/** Deleted data cannot be restored, so every sentence about a request that may delete some says so. */
export const retentionPolicySentences: Sentences = {
  subject: ({ resource }, name) => retentionResources.find((kind) => kind === resource) ?? `the data of ${name}`,

  sent({ body }, facts) {
    const after = settingOf({ retentionDays: body.retention_days, enabled: body.enabled });
    const why = whySent(facts);
    if (!after) return [sentence(`${hiddenSetting(facts)}${why}; may delete data`, "deletes data")];
    const before = settingOf(currentIn(facts) ?? {});
    return [before ? changed(before, after, facts, why) : replaced(after, facts, why)];
  },

  nothingSent(facts) {
    if (facts.verb === "update") return [];
    const setting = settingOf((facts.verb === "create" ? facts.inputs : currentIn(facts)) ?? {});
    if (facts.verb === "delete") return [leftAsSet(facts, "", setting ? ` (${shown(setting)})` : "")];
    return [adoptedAs(setting ? shown(setting) : "values that cannot be seen here", facts, "retentionDays", "enabled")];
  },

  edits: {
    resource: "request",
    retentionDays: "request",
    enabled: "request",
    allowShortening,
    ...sendingSentences("sent again"),
  },

  destroy(onDelete, { inputs }) {
    if (onDelete === "disable") return sentence(`destroy will turn the policy off: ${upToServer}`, "weakens a guard");
    const setting = settingOf(membersOf(onDelete));
    if (!setting) return sentence("destroy will leave it as last set");
    const text = `destroy will set ${shown(setting)}`;
    const kept = settingOf(inputs);
    const isSafe = setting.enabled && kept?.enabled === true && setting.retentionDays >= kept.retentionDays;
    return isSafe ? sentence(text) : sentence(`${text}, which may delete data`, "weakens a guard");
  },

  renameSaves: (_before, isAvoided) => [isAvoided ? "avoid the request" : "keep the guard for fewer days"],

  unreadable: ["deletes data"],
};

function hiddenSetting({ inputs: { retentionDays, enabled } }: Facts): string {
  const days = hiddenAs(retentionDays);
  return days ? `the number of days is ${days}` : `whether the policy is on is ${hiddenAs(enabled) ?? "not known yet"}`;
}

/** The API does not say what a policy that is off means. */
const upToServer = "what happens to the data is up to the server";

const turnedOff = (why: string): Sentence => sentence(`turns the policy off${why}: ${upToServer}`, "deletes data");

/** For a setting whose previous value is not known. */
function replaced(after: Setting, facts: Facts, why: string): Sentence {
  if (!after.enabled) return turnedOff(why);
  const adopted = facts.lost || facts.moved || !isUnconfirmed(facts) ? undefined : settingOf(facts.before ?? {});
  if (adopted) return firstSent(adopted, after, why);
  return sentence(`sets ${shown(after)}${why}; may delete what is older`, "deletes data");
}

/** The guard for fewer days compared with what the user said. If that was too low, also more days delete data. */
function firstSent(adopted: Setting, after: Setting, why: string): Sentence {
  const [from, to] = [adopted.retentionDays, after.retentionDays];
  const text = from === to ? `sends ${shown(after)}${why}` : `${from} → ${daysText(to)}${why}`;
  const claim = `${shown(adopted)} ${from === 1 ? "was" : "were"} adopted, not confirmed`;
  const end =
    to < from
      ? `deletes what is older; ${claim}`
      : `${claim}: if the server keeps data longer than ${daysText(to)}, older data is deleted`;
  return sentence(`${text}; ${end}`, "deletes data");
}

function changed(before: Setting, after: Setting, facts: Facts, why: string): Sentence {
  const [from, to] = [before.retentionDays, after.retentionDays];
  if (before.enabled && !after.enabled) return turnedOff(why);
  if (!before.enabled && after.enabled) {
    return sentence(`turns the policy on, with ${shown(after)}${why}; deletes what is older`, "deletes data");
  }
  if (from === to) return sentAgain(after, facts, why);
  const text = `${from} → ${daysText(to)}${after.enabled ? "" : ", still turned off"}${why}`;
  if (to > from) return sentence(text);
  const end = after.enabled ? "deletes what is older" : "may delete data";
  return sentence(`${text}; ${end}${withoutGuard({ from, to }, facts)}`, "deletes data");
}

/** The guard against fewer days compares with the resource's own state, so it does not see a new resource or name. */
function withoutGuard(step: Step, { verb, inputs }: Facts): string {
  if (verb !== "create" || includes(stepsOf(inputs.allowShortening), step)) return "";
  return `; the guard for fewer days does not apply here, and no ${written(step)} is declared`;
}

function sentAgain(after: Setting, facts: Facts, why: string): Sentence {
  const risks = unlessUnattended(facts, "deletes data");
  const deleted = risks.length === 0 ? "" : " and may delete what is older";
  return sentence(`sends ${shown(after)} again${why}; ${overwrites}${deleted}`, ...risks);
}

/** A step that is allowed and not taken now may be taken by a later change, which needs no approval of its own. */
function allowShortening({ old, fresh }: Edit, facts: Facts): Sentence[] {
  const hidden = hiddenAs(fresh);
  if (hidden) return [sentence(`which steps to fewer days \`allowShortening\` allows is ${hidden}`, "weakens a guard")];
  const [before, after] = [stepsOf(old), stepsOf(fresh)];
  const added = after.filter((step) => !includes(before, step));
  const removed = before.filter((step) => !includes(after, step));
  const open = "allows a step that this change does not take: a later change can take it without another check";
  return [
    ...added.map((step) =>
      isTaken(step, facts)
        ? sentence(`${written(step)} allows the step`)
        : sentence(`${written(step)} ${open}`, "weakens a guard"),
    ),
    ...removed.map((step) => sentence(`${written(step)} no longer declared: the step is refused from now on`)),
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

const shown = ({ retentionDays, enabled }: Setting): string =>
  `${daysText(retentionDays)}${enabled ? "" : ", turned off"}`;
