/** Text and values from the preview, made safe to show. */
import { containsUnknown, isMarked, unknownValue } from "../values.js";
import { printable } from "../client/printable.js";
import type { Values } from "../resources/lifecycle.js";

/** One line of bounded length, with escapes for control characters: text that is hidden could mislead a reviewer. */
export function plain(text: string, maxLength = 300): string {
  const line = printable(text).trim();
  if (line === "") return "(no name)";
  // Not within a character.
  return line.length > maxLength ? `${line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

/** A name within a sentence, where backticks mean something. */
export function plainName(name: string): string {
  return plain(name).replaceAll("`", "'");
}

/** Text shown as code, such as an id or a command. */
export function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** Escapes all but the parts in backticks. */
export function markdownOf(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkdown(part)))
    .join("");
}

/**
 * Text that Markdown shows unchanged. Names may come from a stranger's pull request, so they must not become a link, image,
 * HTML, mention or reference to an issue.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>~|!&]/g, "\\$&").replace(/[@#]|:(?=\/\/)|\b(?:www|GH)(?=[.-])/gi, "$&<!-- -->");
}

/** How the CLI writes a secret in the document of a preview. */
const secretText = "[secret]";

/** Deeper than any value of the four resources. Deeper values count as secret. */
const maxDepth = 32;

/** The values with each secret replaced by the CLI's word for one. */
export function withoutSecrets(values: Values): Values {
  return mapped(values, (value) => (isMarked(value) ? secretText : value));
}

/** The values with each secret as an unknown value: a changed secret looks like an unchanged one. */
export function secretsAsUnknown(values: Values): Values {
  return mapped(values, (value) => (value === secretText ? unknownValue : value));
}

/** Why a value cannot be seen, to follow "is"; undefined if it can. */
export function hiddenAs(value: unknown): "a secret value" | "not known yet" | undefined {
  if (containsSecret(value)) return "a secret value";
  return containsUnknown(value) ? "not known yet" : undefined;
}

function containsSecret(value: unknown): boolean {
  if (value === secretText) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsSecret);
}

type Replace = (value: unknown) => unknown;

function mapped(values: Values, replace: Replace, depth = 0): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, below(replace(value), replace, depth)]));
}

function below(value: unknown, replace: Replace, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return secretText;
  if (!Array.isArray(value)) return mapped(value as Values, replace, depth + 1);
  return value.map((item) => below(replace(item), replace, depth + 1));
}

export const membersOf = (value: unknown): Values =>
  typeof value === "object" && value !== null ? (value as Values) : {};

/** At most four names: a sentence must stay short. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, 4).join(", ") + (names.length > 4 ? ", …" : "");
