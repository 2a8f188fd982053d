/** Text and values from the preview, made safe to show. */
import { contains, containsUnknown, replaced, secretText, unknownValue } from "../../values/engine.js";
import { cut, printable } from "../../values/text.js";
import type { Values } from "../../resources/lifecycle.js";

/** One line of bounded length, with escapes for control characters: text that is hidden could mislead a reviewer. */
export function plain(text: string, maxLength = 300): string {
  return cut(printable(text).trim() || "(no name)", maxLength);
}

/** A name within a sentence, where backticks mean something. */
export function plainName(name: string): string {
  return plain(name).replaceAll("`", "'");
}

/** Text shown as code, such as an id or a command. */
export function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** The values with each secret as an unknown value: a changed secret looks like an unchanged one. */
export const secretsAsUnknown = (values: Values): Values =>
  replaced(values, (value) => (value === secretText ? unknownValue : value));

/** Why a value cannot be seen, to follow "is"; undefined if it can. */
export function hiddenAs(value: unknown): "a secret value" | "not known yet" | undefined {
  if (contains(value, (part) => part === secretText)) return "a secret value";
  return containsUnknown(value) ? "not known yet" : undefined;
}

export const membersOf = (value: unknown): Values =>
  typeof value === "object" && value !== null ? (value as Values) : {};

/** At most four names: a sentence must stay short. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, 4).join(", ") + (names.length > 4 ? ", …" : "");
