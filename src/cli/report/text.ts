/** Text and values from the preview, made safe to show. */
import { replaced, secretText, unknownValue } from "../../values/engine.js";
import { cut, printable } from "../../values/text.js";
import type { Values } from "../../values/any.js";

/** One line of bounded length, with escapes for control characters: text that is hidden could mislead a reviewer. */
export function safeText(text: string, maxLength = 300): string {
  return cut(printable(text).trim() || "(no name)", maxLength);
}

/** A name within a text, where backticks mean something. */
export function safeName(name: string): string {
  return safeText(name).replaceAll("`", "'");
}

/** Such as " (organization.yaml:3)", to follow a name; empty if there is no text. */
export const parenthesized = (text = ""): string => (text === "" ? "" : ` (${text})`);

/** Safe text as code, such as a command. */
export function asCode(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** Any text as code. */
export const inCode = (text: string): string => asCode(safeText(text));

/** The values with each secret as an unknown value: in a preview, a changed secret looks like an unchanged one. */
export const secretsAsUnknown = (values: Values): Values =>
  replaced(values, (value) => (value === secretText ? unknownValue : value));
