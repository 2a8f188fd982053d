/** What a user changed: the declared values before and after, and their lines. */
import { secretProperties } from "../../../schema/documentation.js";
import { hiddenAs, membersOf } from "../../../lifecycle/effects/effect.js";
import type { Edit } from "../../../lifecycle/effects/guards.js";
import { resources } from "../../../resources/index.js";
import type { Values } from "../../../values/any.js";
import { sameValues } from "../../../lifecycle/object.js";
import { safeText } from "../../output.js";

/** Inputs that `check` adds. Users do not write them. */
const computed = new Set([
  "organization",
  "address",
  ...Object.values(resources).map(({ lifecycle }) => lifecycle.date),
]);

const isDeclaredProperty = (property: string): boolean => !property.startsWith("__") && !computed.has(property);

export function editsOf(before: Values, after: Values): Edit[] {
  // A property may have any name, such as "constructor".
  const valueIn = (values: Values, property: string) =>
    Object.hasOwn(values, property) ? values[property] : undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((property) => ({ property, old: valueIn(before, property), fresh: valueIn(after, property) }))
    .filter(
      ({ property, old, fresh }) =>
        isDeclaredProperty(property) && !sameValues({ value: old }, { value: fresh }, ["value"]),
    );
}

/** The arguments and the engine's options whose values are never confidential. A trigger may have any value. */
const publicProperties = new Set([
  ...Object.values(resources).flatMap(({ args }) => {
    const hidden = [...secretProperties(args), "triggers"];
    return Object.keys(args.shape).filter((name) => !hidden.includes(name));
  }),
  ...["protect", "retainOnDelete", "ignoreChanges"],
]);

/** Longest trigger that is shown, in quotes. A longer one may be more than a name or a date. */
const maxTriggerText = 18;

const maxValue = 120;

/** Lines without secret values, such as `~ retentionDays: 365 => 90`. Each trigger has its own line. */
export function editLines(edit: Edit): string[] {
  const haveNames = [edit.old, edit.fresh].every((value) => value === undefined || typeof value === "object");
  const isSplit = edit.property === "triggers" && haveNames;
  const edits = isSplit ? editsOf(triggersByPath(edit.old), triggersByPath(edit.fresh)) : [edit];
  return edits.map(({ property, old, fresh }) => {
    const name = safeText(property);
    if (old === undefined) return `+ ${name}: ${shownValue(property, fresh)}`;
    if (fresh === undefined) return `- ${name}: ${shownValue(property, old)}`;
    return `~ ${name}: ${shownValue(property, old)} => ${shownValue(property, fresh)}`;
  });
}

const triggersByPath = (triggers: unknown): Values =>
  Object.fromEntries(Object.entries(membersOf(triggers)).map(([name, value]) => [`triggers.${name}`, value]));

function shownValue(property: string, value: unknown): string {
  const isTrigger = property.startsWith("triggers.");
  const hidden = hiddenAs(value);
  if (hidden) return `(${hidden})`;
  if (!isTrigger && !publicProperties.has(property)) return "(a value)";
  const text = safeText(written(value), maxValue);
  return isTrigger && text.length > maxTriggerText ? "(a value)" : text;
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${written(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
