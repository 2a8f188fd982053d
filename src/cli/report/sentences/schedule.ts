/** Sentences about what the clock brings about later: `rotateAfter`, `reassertAfter`, `reassertUnattended`. */
import { hiddenAs } from "../secrets.js";
import { sentence, tense, type Edit, type EditSentences, type Facts } from "./sentence.js";

const dayMs = 86_400_000;

/**
 * @param on the computed input that holds the next date
 * @param subject as "crm's signing secret"
 * @param verb as "rotated"
 */
export function periodWords(
  on: "rotateOn" | "reassertOn",
  subject: (facts: Facts) => string,
  verb: (facts: Facts) => string,
): EditSentences {
  return (edit, facts) => {
    const { property, old, fresh } = edit;
    const hidden = hiddenAs(fresh);
    if (hidden) return [sentence(`${facts.name}: how often it is to be ${verb(facts)} (\`${property}\`) is ${hidden}`)];
    if (fresh === undefined) {
      const was = facts.declaredBefore[on];
      const last = typeof was === "string" ? ` (the next was due on ${was})` : "";
      return [
        sentence(
          `${subject(facts)} ${tense(facts, "will no longer be", "is no longer to be")} ${verb(facts)} by date${last}`,
        ),
      ];
    }
    const will = tense(facts, "will be", "is to be");
    const instead = typeof old === "string" && hiddenAs(old) === undefined ? ` instead of ${every(old)}` : "";
    const next = `${old === undefined ? "for the first time" : "next"} ${nextDate(edit, facts, on)}`;
    return [sentence(`${subject(facts)} ${will} ${verb(facts)} ${every(fresh)}${instead}, ${next}`)];
  };
}

/**
 * A date that is reckoned from the old one is the same on every day. One that is reckoned from today is not named before the
 * update: an approval may come later, and what was approved has to stay the same.
 */
function nextDate({ old, fresh }: Edit, facts: Facts, on: string): string {
  const [before, after] = [facts.declaredBefore[on], facts.inputs[on]];
  if (typeof after === "string" && (facts.past || isShifted(before, after, daysIn(fresh) - daysIn(old), facts))) {
    return `on ${after}`;
  }
  return `${dayCount(fresh)} after the update`;
}

/** What happens anyway in this update begins the period anew, today. */
function isShifted(before: unknown, after: string, days: number, { due, edits }: Facts): boolean {
  const isRestarted = due !== undefined || edits.some(({ property }) => property === "triggers");
  return !isRestarted && typeof before === "string" && Date.parse(after) - Date.parse(before) === days * dayMs;
}

function daysIn(period: unknown): number {
  return typeof period === "string" && /^\d+d$/.test(period) ? Number(period.slice(0, -1)) : Number.NaN;
}

function dayCount(period: unknown): string {
  const days = daysIn(period);
  if (Number.isNaN(days)) return "some time";
  return days === 1 ? "1 day" : `${days} days`;
}

function every(period: unknown): string {
  const days = daysIn(period);
  if (Number.isNaN(days)) return "at times that are not known";
  return days === 1 ? "every day" : `every ${days} days`;
}

export const unattendedWords: EditSentences = ({ fresh }, facts) => {
  const hidden = hiddenAs(fresh);
  const due = `what \`reassertAfter\` makes due for ${facts.name}`;
  if (hidden) return [sentence(`whether ${due} waits for a person's approval is ${hidden}`, "weakens a guard")];
  if (fresh !== true)
    return [sentence(`${due} ${tense(facts, "waits", "is to wait")} for a person's approval from now on`)];
  return [
    sentence(
      `${due} ${tense(facts, "may be sent", "was allowed to be sent")} without a person's approval`,
      "weakens a guard",
    ),
  ];
};
