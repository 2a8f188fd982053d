/** The mandatory policies that a run violates. */
import { cleanText } from "../../../values/text.js";
import { safeText } from "../../output.js";
import type { PreviewOrUpdate } from "../../pulumi/preview-or-update.js";
import { maxMessage } from "./message.js";

/** One line for each mandatory policy and resource, with the policy's reason. */
export function violationLines(
  { violations, steps }: PreviewOrUpdate,
  nameOf: (urn: string) => string,
  secrets: readonly string[],
): string[] {
  if (violations.length === 0) return [];
  const shown = JSON.stringify(steps);
  const lines = violations.map(({ policy, urn, message }) => {
    const by = urn === "" ? "" : ` by ${nameOf(urn)}`;
    const reason = cleanText(withoutHiddenValues(message, shown), secrets, maxMessage) ?? "it gives no reason";
    return `${safeText(`the policy ${policy} is violated${by}`)}: ${reason}`;
  });
  return lines.sort();
}

/**
 * A policy reads secrets in plain text, and its message may repeat them. So a long word is shown only if the preview has it too, such as an id or
 * a name: the preview contains no secret in plain text.
 *
 * @param shown all steps of the preview, as JSON
 */
const withoutHiddenValues = (message: string, shown: string): string =>
  message.replace(/[^\s"'`()[\],;]{16,}/g, (word) => {
    const isShown = shown.includes(word.replace(/[.:!?]+$/, ""));
    return isShown || isPageAddress(word) ? word : "[redacted]";
  });

/** Whether it is the address of a page that explains the policy: words without a digit, none of them long. */
const isPageAddress = (word: string): boolean => /^https:\/\/[a-z]{1,15}(?:[./-]+[a-z]{1,15})*\/?\.?$/.test(word);
