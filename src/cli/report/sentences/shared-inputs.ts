/** Sentences about inputs that several resources have: `triggers`, and the periods after which a request is due. */
import { isDeepStrictEqual } from "node:util";
import { hiddenAs, listed, membersOf } from "../text.js";
import { sentence } from "./sentence.js";
import type { Edit, EditSentences, Facts, Sentence } from "./sentence.js";

const dayMs = 86_400_000;

/** @param action such as "sent again" */
export const sendingSentences = (action: string) => ({
  onCreate,
  reassertAfter: periodSentences("reassertOn", action),
  reassertUnattended,
});

/**
 * @param on the computed input that holds the next date
 * @param action such as "rotated"
 */
export function periodSentences(on: "rotateOn" | "reassertOn", action: string): EditSentences {
  return (edit, facts) => {
    const { property, old, fresh } = edit;
    const hidden = hiddenAs(fresh);
    // Without a date it may be forgotten. A hidden period may be longer.
    const isSooner = old === undefined || daysIn(fresh) <= daysIn(old);
    const risks = isSooner ? [] : (["weakens a guard"] as const);
    if (hidden) return [sentence(`how often it is ${action} (\`${property}\`) is ${hidden}`, ...risks)];
    if (fresh === undefined) {
      const due = facts.declaredBefore[on];
      const last = typeof due === "string" ? ` (the next was due on ${due})` : "";
      return [sentence(`no longer ${action} by date${last}`, ...risks)];
    }
    const instead = typeof old === "string" && hiddenAs(old) === undefined ? ` instead of ${every(old)}` : "";
    const next = `${old === undefined ? "for the first time" : "next"} ${nextDate(edit, facts, on)}`;
    return [sentence(`${action} ${every(fresh)}${instead}, ${next}`, ...risks)];
  };
}

/**
 * A date that is counted from the old one is the same on every day. One that is counted from today is not shown before the
 * update: the text must not change between a preview and its approval.
 */
function nextDate({ old, fresh }: Edit, facts: Facts, on: string): string {
  const [before, after] = [facts.declaredBefore[on], facts.inputs[on]];
  if (typeof after === "string" && (facts.done || isShifted(before, after, daysIn(fresh) - daysIn(old), facts))) {
    return `on ${after}`;
  }
  const days = daysIn(fresh);
  return `${Number.isNaN(days) ? "some time" : daysText(days)} after the update`;
}

/** A request of this update starts the period today. */
function isShifted(before: unknown, after: string, days: number, { due, edits }: Facts): boolean {
  const isRestarted = due !== undefined || edits.some(({ property }) => property === "triggers");
  return !isRestarted && typeof before === "string" && Date.parse(after) - Date.parse(before) === days * dayMs;
}

export const daysText = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

function daysIn(period: unknown): number {
  return typeof period === "string" && /^\d+d$/.test(period) ? Number(period.slice(0, -1)) : Number.NaN;
}

function every(period: unknown): string {
  const days = daysIn(period);
  if (Number.isNaN(days)) return "at times that are not known";
  return days === 1 ? "every day" : `every ${days} days`;
}

function reassertUnattended({ fresh }: Edit): Sentence[] {
  const hidden = hiddenAs(fresh);
  const due = "what `reassertAfter` makes due";
  if (hidden) return [sentence(`whether ${due} waits for a person's approval is ${hidden}`, "weakens a guard")];
  if (fresh !== true) return [sentence(`${due} waits for a person's approval from now on`)];
  return [sentence(`${due} needs no person's approval from now on`, "weakens a guard")];
}

function onCreate({ fresh }: Edit): Sentence[] {
  const hidden = hiddenAs(fresh);
  const effect = fresh === "adopt" ? "it is adopted without a request" : "it is sent";
  return [sentence(`if it is created anew, ${hidden ? `whether it is sent is ${hidden}` : effect}`)];
}

interface TriggerReasons {
  readonly changed: string | undefined;
  /** Whether no visible trigger changed, and a hidden one may have. */
  readonly hidden: boolean;
}

/** Which triggers were added, removed and changed; otherwise, which are secret or not known yet. */
export function triggerReasons(before: unknown, after: unknown): TriggerReasons {
  const hidden = hiddenAs(after);
  if (isDeepStrictEqual(before, after) && hidden === undefined) return { changed: undefined, hidden: false };
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const isHidden = (key: string) => hiddenAs(fresh[key]) !== undefined;
  const isChanged = (key: string) => key in old && !isHidden(key) && !isDeepStrictEqual(old[key], fresh[key]);
  const names = Object.keys(fresh);
  // If the triggers are one secret, their names are not known.
  const areNamed = ![before, after].some((triggers) => typeof triggers === "string");
  const added = areNamed ? names.filter((key) => !(key in old)) : [];
  const removed = areNamed ? Object.keys(old).filter((key) => !(key in fresh)) : [];
  const visible = [named(added, "added"), named(removed, "removed"), named(names.filter(isChanged), "changed")];
  const changed = visible.filter((reason) => reason !== undefined).join(", ");
  if (changed !== "") return { changed, hidden: false };
  if (hidden === undefined) return { changed: "triggers changed", hidden: false };
  const unseen = names.filter(isHidden);
  const are = hidden === "a secret value" ? "are secret values" : `are ${hidden}`;
  return { changed: named(unseen, unseen.length === 1 ? `is ${hidden}` : are) ?? `triggers ${are}`, hidden: true };
}

function named(keys: readonly string[], what: string): string | undefined {
  return keys.length === 0 ? undefined : `${keys.length === 1 ? "trigger" : "triggers"} ${listed(keys)} ${what}`;
}
