/** Text from elsewhere, made fit for each place where a report is read. */
import { cleanText } from "../../api/redact.js";

/** One line of bounded length without control characters; "(no name)" if nothing is left. */
export function plain(text: string): string {
  return cleanText(text, []) ?? "(no name)";
}

/**
 * Text that Markdown shows as it is. Names may come from a stranger's pull request: no link, image, HTML, mention or
 * reference to an issue comes of them.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>~|!&]/g, "\\$&").replace(/[@#]|:(?=\/\/)|\b(?:www|GH)(?=[.-])/gi, "$&<!-- -->");
}
