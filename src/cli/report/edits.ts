/** What a user changed: the declared values before and after, and their lines. */
import { secretProperties } from "../../schema/documentation.js";
import { hiddenAs } from "../../lifecycle/effects/risk.js";
import type { Edit } from "../../lifecycle/effects/guards.js";
import { resources } from "../../resources/index.js";
import { sameValues } from "../../lifecycle/object.js";
import { hasMembers, membersOf, type Values } from "../../values/any.js";
import { safeText } from "../output.js";

/** Inputs that `check` adds, beside those whose names begin with underscores. Users write none of them. */
const computed = new Set([
  "organization",
  "address",
  ...Object.values(resources).map(({ lifecycle }) => lifecycle.date),
]);

export const editsOf = (before: Values, after: Values): Edit[] =>
  editsBetween(before, after).filter(({ property }) => !property.startsWith("__") && !computed.has(property));

function editsBetween(before: Values, after: Values): Edit[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // A property may have the name of a member of every object, such as "constructor".
  const valueIn = (values: Values, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  return names
    .filter((name) => !sameValues(before, after, [name]))
    .map((property) => ({ property, old: valueIn(before, property), fresh: valueIn(after, property) }));
}

const allArgs = Object.values(resources).map(({ args }) => args);

/** A trigger may have any value. */
const confidential = new Set(["triggers", ...allArgs.flatMap(secretProperties)]);

const shownProperties = [...allArgs.flatMap(({ shape }) => Object.keys(shape)), "protect", "retainOnDelete"];

/** The arguments and the engine's options whose values are never confidential, in any resource. */
const publicProperties = new Set(shownProperties.filter((name) => !confidential.has(name)));

/** Longest trigger that is shown, in quotes. A longer one may be more than a name or a date. */
const maxTriggerText = 18;

const maxValue = 120;

/** Lines without secret values, such as `~ retentionDays: 365 => 90`. Each trigger has its own line. */
export function editLines(edit: Edit): string[] {
  const { property, old, fresh } = edit;
  const isTriggers = property === "triggers" && [old, fresh].every((value) => value === undefined || hasMembers(value));
  if (!isTriggers) return [editLine(property, edit, () => publicProperties.has(property))];
  return editsBetween(membersOf(old), membersOf(fresh)).map((trigger) =>
    editLine(`triggers.${trigger.property}`, trigger, (text) => text.length <= maxTriggerText),
  );
}

/** @param isPublic whether a value may be shown, by its text */
function editLine(property: string, { old, fresh }: Edit, isPublic: (text: string) => boolean): string {
  const name = safeText(property);
  const shown = (value: unknown) => shownValue(value, isPublic);
  if (old === undefined) return `+ ${name}: ${shown(fresh)}`;
  if (fresh === undefined) return `- ${name}: ${shown(old)}`;
  return `~ ${name}: ${shown(old)} => ${shown(fresh)}`;
}

/** A value in a line, as in a program. @param isPublic whether it may be shown, by its text */
export function shownValue(value: unknown, isPublic: (text: string) => boolean = () => true): string {
  const hidden = hiddenAs(value);
  if (hidden !== undefined) return `(${hidden})`;
  const text = safeText(literalText(value), maxValue);
  return isPublic(text) ? text : "(a value)";
}

/** On one line. */
function literalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalText).join(", ")}]`;
  if (!hasMembers(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${literalText(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
