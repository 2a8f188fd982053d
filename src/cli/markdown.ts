import { printableLine } from "../values/text.js";

/**
 * Text that Markdown shows unchanged. Names may come from a stranger's pull request, so they must not become a link, image,
 * HTML, mention or reference to an issue.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>~|!&]/g, "\\$&").replace(/[@#]|:(?=\/\/)|\b(?:www|GH)(?=[.-])/gi, "$&<!-- -->");
}

/** Escapes all but the parts in backticks. */
export function markdownOf(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkdown(part)))
    .join("");
}

/** A heading and a list in Markdown, for the summary of a pipeline's job. */
export function markdownList(heading: string, lines: readonly string[]): string {
  const shown = (text: string) => markdownOf(printableLine(text));
  const list = lines.map((line) => `- ${shown(line)}\n`).join("");
  return `### ${shown(heading)}\n${list === "" ? "" : "\n"}${list}`;
}
