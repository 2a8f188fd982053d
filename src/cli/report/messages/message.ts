/** What the lines about messages share: who has said one, its text without the words of the engine, and how much of it is shown. */
import type { Code } from "../../../values/codes.js";
import { diagnosticIn } from "../../../values/diagnostic.js";
import { organizationType } from "../../../values/engine.js";
import { parenthesized, safeText } from "../../output.js";
import type { EngineMessage } from "../../pulumi/preview-or-update.js";
import { lifecycleOf, typeIn } from "../situations/resources.js";

/** The most items of a list, so that it can be read in a comment. */
const maxItems = 50;

/** Longest message of this package's resources and of a policy, characters. It is long because a guard's message ends with what to do. */
export const maxMessage = 1000;

/** As many items as a list may have, and the number of the others. */
export function limited(items: readonly string[]): string[] {
  const left = items.length - maxItems;
  return left > 0 ? [...items.slice(0, maxItems), `and ${left} more`] : [...items];
}

/** "recordings (organization.yaml:3): days: must be … [wrong-value]" */
export const subjectLine = (name: string, place: string | undefined, text: string): string =>
  `${safeText(name)}${parenthesized(place && safeText(place))}: ${text}`;

/** A resource, an Organization, or the native provider, which reports what is wrong in its settings. */
export const isOwnType = (type: string): boolean =>
  lifecycleOf(type) !== undefined || type === organizationType || type === "pulumi:providers:voiceplane";

export const codeIn = ({ message }: EngineMessage): Code | undefined => diagnosticIn(withoutPrefix(message))?.code;

/** Whether it is a problem of the program, or of the engine itself: both may have the stack's URN. */
export const isOfStack = (urn: string): boolean => urn === "" || typeIn(urn) === "pulumi:pulumi:Stack";

/**
 * The text without what the engine writes before that of a provider: "error: TYPE resource 'NAME' has a problem: ", or the number of errors. The
 * last of these words count, because a value that the engine prints may have them too.
 */
export function withoutPrefix(message: string): string {
  const before = " has a problem: ";
  const start = message.lastIndexOf(before);
  const text = start < 0 ? message : message.slice(start + before.length);
  return text
    .replace(/^error: /, "")
    .replace(/^1 error occurred:\s*\*\s*/, "")
    .trim();
}
