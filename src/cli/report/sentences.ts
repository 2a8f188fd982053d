/** What a line says of a request, and of a resource that has another name. */
import { valuesSent } from "../../lifecycle/effects/effect.js";
import { hiddenAs, isUnconfirmed, type ObjectChange } from "../../lifecycle/effects/risk.js";
import { isDue, periods } from "../../lifecycle/schedule.js";
import { compact, textOf } from "../../values/any.js";
import { asCode, parenthesized, safeCode, safeText } from "../output.js";
import type { Step } from "../pulumi/steps.js";
import { shownValue } from "./edits.js";
import { nameIn } from "./providers.js";
import { declarationOf, type Situation } from "./situations.js";

/** Such as "sets `retentionDays: 365 → 90, enabled: true` (due 2026-02-01)". */
export function sentText(situation: Situation, change: ObjectChange, body: string, isElsewhere: boolean): string {
  const { lifecycle, isUnexplained } = situation;
  const { verb, before, inputs } = change;
  const isUncertain = before !== undefined && lifecycle.isUncertain(before);
  const reasons = compact(
    verb === "delete" && "by `onDelete`",
    verb === "update" && before !== undefined && isDue(before, inputs) && `due ${safeText(textOf(inputs.__due))}`,
    isUncertain && "its last request may have been carried out",
    verb !== "delete" && isUnconfirmed(before) && "adopted, never sent",
    isUnexplained && "for a reason that cannot be seen here",
    ...hiddenReasons(situation, change),
    isElsewhere && "to an address that cannot be seen here",
  );
  return `${lifecycle.does}${body}${reasons.length === 0 ? "" : ` (${reasons.join(", ")})`}`;
}

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
    ...sentProperties.filter((property) => !bodyProperties.includes(property)),
    verb === "create" ? "onCreate" : periods[date],
  ];
  return names.flatMap((property) => {
    const hidden = hiddenAs(declared[property]);
    return hidden === undefined ? [] : [`${property}: ${hidden}`];
  });
}

/** How a renamed resource keeps its state: an entry says `formerly`, and what else has a name of its own gets an alias. @param place of `to` */
export function renameAdvice(from: Step, to: Step, place: string | undefined): string {
  const [oldParent = "", parent = ""] = [from.before?.parent, to.after?.parent];
  const [old, fresh] = [declarationOf(from.urn, oldParent), declarationOf(to.urn, parent)];
  const isEntry = fresh.key !== undefined;
  const at = parenthesized(place);
  if (isEntry && (old.organization === undefined || old.organization === fresh.organization))
    return `add \`formerly: ${safeText(old.key ?? old.name)}\` to ${safeText(fresh.key ?? "")}${at}`;
  if (isEntry) return `add the alias ${safeCode(oldParent)} to ${safeText(nameIn(parent))}`;
  return `add the alias ${safeCode(from.urn)} to ${safeText(nameIn(to.urn))}${at}`;
}
