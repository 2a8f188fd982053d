/** Text from elsewhere, made fit for each place where a report is read. */
import { cleanText } from "../../client/redact.js";

/** One line of bounded length without control characters; "(no name)" if nothing is left. */
export function plain(text: string, maxLength?: number): string {
  return cleanText(text, [], maxLength) ?? "(no name)";
}

/** A name within a sentence, where backticks mean something. */
export function plainName(name: string): string {
  return plain(name).replaceAll("`", "'");
}

/** A part of a text that is to be read as it stands, such as an id or a command. */
export function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** Text with parts in code style: they stay as they are, and the rest is escaped. */
export function markdownOf(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkdown(part)))
    .join("");
}

/**
 * Text that Markdown shows as it is. Names may come from a stranger's pull request: no link, image, HTML, mention or
 * reference to an issue comes of them.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>~|!&]/g, "\\$&").replace(/[@#]|:(?=\/\/)|\b(?:www|GH)(?=[.-])/gi, "$&<!-- -->");
}
