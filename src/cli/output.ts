/** What commands print: colors, JSON, and safe text for terminals, pull requests and the summaries of jobs. */
import { styleText } from "node:util";
import type { Values } from "../values/any.js";
import { cut, printable } from "../values/text.js";

/** @param colors whether the output is a terminal with colors */
export const styled = (colors: boolean, style: Parameters<typeof styleText>[0], text: string): string =>
  colors ? styleText(style, text, { validateStream: false }) : text;

/** `version` grows if a reader of the old form would misread the new one. New members do not change it. */
export const jsonDocument = (document: Values & { readonly version: number }): string =>
  `${JSON.stringify(document, undefined, 2)}\n`;

/** One line of bounded length, with escapes for control characters: text that is hidden could mislead a reviewer. */
export function safeText(text: string, maxLength = 300): string {
  return cut(printable(text).trim() || "(no name)", maxLength);
}

/** A name within a text, where backticks mean something. */
export function safeName(name: string): string {
  return safeText(name).replaceAll("`", "'");
}

/** Such as "1 object" or "2 objects". */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Such as " (organization.yaml:3)", to follow a name; empty if there is no text. */
export const parenthesized = (text = ""): string => (text === "" ? "" : ` (${text})`);

/** A text that is safe already as code, such as a command. */
export function asCode(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** Any text as code. */
export const safeCode = (text: string): string => asCode(safeText(text));

/**
 * The text as Markdown shows it unchanged. Names may come from a stranger's pull request, so they must not become a link, image,
 * HTML, mention or reference to an issue.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\`*_{}[\]<>~|!&]/g, "\\$&")
      // Nothing escapes a mention, a reference or an address, so an empty comment splits it.
      .replace(/[@#]|:(?=\/\/)|(?<![a-z\d])(?:www|GH)(?=[.-])/gi, "$&<!-- -->")
  );
}

/** Escapes all but the parts in backticks. */
export function markdownOf(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkdown(part)))
    .join("");
}
