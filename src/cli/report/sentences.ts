/** What a line says of a request, and of a resource that has another name. */
import { valuesSent } from "../../lifecycle/effects/effect.js";
import { hiddenAs, isUnconfirmed, type ObjectChange } from "../../lifecycle/effects/risk.js";
import { isDue, periods } from "../../lifecycle/schedule.js";
import { compact, membersOf } from "../../values/any.js";
import { asCode, safeCode, safeText } from "../output.js";
import type { Step } from "../pulumi/steps.js";
import { editsOf, shownValue } from "./edits.js";
import { declarationOf, type Situation } from "./situations.js";

/** Such as "sets `retentionDays: 365 → 90, enabled: true` (due 2026-02-01)". */
export function sentText(situation: Situation, change: ObjectChange, body: string, isElsewhere: boolean): string {
  const { lifecycle, isUnexplained } = situation;
  const { verb, before, inputs } = change;
  const isUncertain = before !== undefined && lifecycle.isUncertain(before);
  const reasons = compact(
    verb === "delete" && "by `onDelete`",
    verb === "update" && before !== undefined && isDue(before, inputs) && `due ${shownText(inputs.__due)}`,
    isUncertain && "its last request may have been carried out",
    verb !== "delete" && isUnconfirmed(before) && "adopted, never sent",
    verb === "update" && triggersText(situation),
    isUnexplained && "for a reason that cannot be seen here",
    ...hiddenReasons(situation, change),
    isElsewhere && "to an address that cannot be seen here",
  );
  return `${lifecycle.does}${body}${reasons.length === 0 ? "" : ` (${reasons.join(", ")})`}`;
}

const shownText = (value: unknown): string => (typeof value === "string" ? safeText(value) : "");

/** What the body has, as code with a space before it; empty for a request without one. */
export function bodyText({ lifecycle }: Situation, change: ObjectChange): string {
  const { before, moved } = change;
  const after = valuesSent(lifecycle, change);
  const isComparable = before !== undefined && !moved && !lifecycle.isUncertain(before);
  const members = lifecycle.bodyProperties.flatMap((property) => {
    if (after[property] === undefined) return [];
    const fresh = shownValue(after[property]);
    const old = isComparable && before[property] !== undefined ? shownValue(before[property]) : fresh;
    return [`${property}: ${old === fresh ? fresh : `${old} → ${fresh}`}`];
  });
  return members.length === 0 ? "" : ` ${asCode(members.join(", "))}`;
}

/** The values that decide whether a request is sent, and for which object, where they cannot be seen. */
function hiddenReasons({ lifecycle, declared = {} }: Situation, { verb }: ObjectChange): string[] {
  if (verb === "delete") return [];
  const { identity, sentProperties, bodyProperties, date } = lifecycle;
  const names = [
    identity,
    "organization",
    ...sentProperties.filter((property) => !bodyProperties.includes(property) && property !== "triggers"),
    verb === "create" ? "onCreate" : periods[date],
  ];
  return names.flatMap((property) => {
    const hidden = hiddenAs(declared[property]);
    return hidden === undefined ? [] : [`its ${property} is ${hidden}`];
  });
}

const maxTriggers = 4;

/** Such as "triggers a, c changed"; undefined if none has. */
function triggersText({ step: { before, after } }: Situation): string | undefined {
  const [old, fresh] = [before?.inputs.triggers, after?.inputs.triggers];
  const hidden = hiddenAs(fresh);
  if (hidden !== undefined) return `triggers: ${hidden}`;
  const changed = editsOf(membersOf(old), membersOf(fresh)).map(({ property }) => property);
  if (changed.length === 0) return undefined;
  const names = changed.slice(0, maxTriggers).join(", ") + (changed.length > maxTriggers ? ", …" : "");
  return safeText(`${changed.length === 1 ? "trigger" : "triggers"} ${names} changed`);
}

const entryAdvice = (entry: string, old: string): string => `add \`formerly: ${old}\` to ${entry}`;

const aliasAdvice = (name: string, old: string): string => `add an alias with the name ${old} to ${name}`;

/** How a renamed resource keeps its state. */
export function renameAdvice(from: Step, to: Step): string {
  const [old, fresh] = [declarationOf(from.urn, from.before?.parent), declarationOf(to.urn, to.after?.parent)];
  const isSameParent = from.before?.parent === to.after?.parent;
  if (fresh.key === undefined)
    return isSameParent
      ? aliasAdvice(safeText(fresh.name), safeText(old.name))
      : `add the alias ${safeCode(from.urn)} to ${safeText(fresh.name)}`;
  if (old.organization === undefined || old.organization === fresh.organization)
    return entryAdvice(safeText(fresh.key), safeText(old.key ?? old.name));
  return aliasAdvice(`the Organization ${safeText(fresh.organization ?? "")}`, safeText(old.organization));
}
