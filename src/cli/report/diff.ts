/** The declared values before and after, as lines. */
import { secretProperties } from "../../resources/documentation.js";
import { resources } from "../../resources/index.js";
import type { Values } from "../../resources/lifecycle.js";
import type { Step } from "../pulumi/preview-or-update.js";
import { editsOf } from "./resources.js";
import { hiddenAs, plain } from "./text.js";

/** Arguments whose values are never confidential. A trigger may be anything. */
const openArguments = new Set(
  Object.values(resources).flatMap(({ args }) => {
    const hidden = [...secretProperties(args), "triggers"];
    return Object.keys(args.shape).filter((name) => !hidden.includes(name));
  }),
);

/** Longer triggers are not shown: they may be more than a name or a date. */
const maxTriggerText = 16;

const maxValue = 120;

/** Lines such as `~ retentionDays: 365 => 90`, without secret values. */
export function diffOf({ before, after }: Step): string[] {
  const edits = editsOf(flat(before?.inputs ?? {}), flat(after?.inputs ?? {}));
  return edits.map(({ property, old, fresh }) => {
    const name = plain(property);
    if (old === undefined) return `+ ${name}: ${valueOf(property, fresh)}`;
    if (fresh === undefined) return `- ${name}: ${valueOf(property, old)}`;
    return `~ ${name}: ${valueOf(property, old)} => ${valueOf(property, fresh)}`;
  });
}

/** With each trigger as an input of its own. */
function flat({ triggers, ...inputs }: Values): Values {
  if (triggers === undefined) return inputs;
  if (typeof triggers !== "object" || triggers === null) return { ...inputs, triggers };
  const each = Object.entries(triggers).map(([name, value]) => [`triggers.${name}`, value] as const);
  return { ...inputs, ...Object.fromEntries<unknown>(each) };
}

function valueOf(property: string, value: unknown): string {
  const isTrigger = property.startsWith("triggers.");
  const hidden = hiddenAs(value);
  if (hidden) return `(${hidden})`;
  if (!isTrigger && !openArguments.has(property)) return "(a value)";
  const text = plain(written(value), maxValue);
  // In quotes.
  return isTrigger && text.length > maxTriggerText + 2 ? "(a value)" : text;
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${written(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
