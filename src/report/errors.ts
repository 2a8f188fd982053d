/**
 * Errors, as lines for a comment on a pull request. Pipelines mask secrets in logs, not in comments, so text that may hold a
 * secret is not repeated.
 */
import { cleanText } from "../client/redact.js";
import { organizationFileHeading } from "../organization-file/schema.js";
import { settingsHeading } from "../provider/settings.js";
import type { PreviewProblem } from "../engine/preview.js";
import { nameIn, resourceOf, typeIn } from "./resources.js";

/** As many lines as fit into a comment. */
const maxLines = 50;

/** Longest message of this package's resources, characters. The end of a guard's message says what to do. */
const maxOwnLength = 1000;

/** Leaves out "update failed", which is in the summary, and the secrets. */
export function errorLines(problems: readonly PreviewProblem[], secrets: readonly string[]): string[] {
  const lines = problems.flatMap((problem) => {
    if (isOwn(problem)) return [cleanText(withoutPrefix(problem.message), secrets, maxOwnLength) ?? unknownError];
    return linesOf(problem).map((line) => cleanText(line, secrets) ?? unknownError);
  });
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];
}

const unknownError = "an error without a message";

function isOwn({ urn }: PreviewProblem): boolean {
  return resourceOf(typeIn(urn)) !== undefined;
}

function linesOf({ urn, message }: PreviewProblem): string[] {
  const type = typeIn(urn);
  if (urn !== "" && type !== stackType) return [`${type} ${nameIn(urn)} has a problem: Pulumi's own output says which`];
  const [first = "", ...rest] = withoutPrefix(message).trim().split(/\r?\n/);
  if (isHeading(first)) return [first, ...rest];
  if (/^\w+ failed$/.test(first)) return [];
  // The rest is a stack trace or the text of any exception, which may hold a secret.
  return [rest.length > 0 ? `${first.replace(/:$/, "")} (Pulumi's own output has the rest)` : first];
}

/** Of the program's own errors, which list what is wrong in the files or the settings. */
const isHeading = (line: string): boolean => line === organizationFileHeading || line === settingsHeading;

/** @param lines from {@link errorLines} */
export const saysWhatToCorrect = (lines: readonly string[]): boolean => lines.some(isHeading);

/** The engine reports the program's errors, and some of its own, for this type. */
const stackType = "pulumi:pulumi:Stack";

/** Without the engine's prefixes. */
function withoutPrefix(message: string): string {
  return message.replace(/^error: /, "").replace(/^1 error occurred:\s*\*\s*/, "");
}
