/** What every message of a run has: who says it, its text without the engine's words around it, and room for it in a comment. */
import type { Code } from "../../../values/codes.js";
import { diagnosticIn } from "../../../values/diagnostic.js";
import { parenthesized, safeText } from "../../output.js";
import type { EngineMessage } from "../../pulumi/preview-or-update.js";
import { lifecycleOf, typeIn } from "../situations/resources.js";

/** The most lines: they fit into a comment. */
export const maxLines = 50;

/** Longest message of this package's resources and of a policy, characters. It is long because a guard's message ends with what to do. */
export const maxMessage = 1000;

export const limited = (lines: readonly string[]): string[] =>
  lines.length <= maxLines ? [...lines] : [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];

/** "recordings (organization.yaml:3): days: must be … [wrong-value]" */
export const subjectLine = (name: string, place: string | undefined, text: string): string =>
  `${safeText(name)}${parenthesized(place && safeText(place))}: ${text}`;

/** A resource, an Organization, or the native provider, which reports what is wrong in its settings. */
export const isOwnType = (type: string): boolean =>
  lifecycleOf(type) !== undefined || /^(?:pulumi:providers:voiceplane$|voiceplane:)/.test(type);

export const codeIn = ({ message }: EngineMessage): Code | undefined => diagnosticIn(withoutPrefix(message))?.code;

/** Whether it is a problem of the program, or of the engine itself: both may have the stack's URN. */
export const isOfStack = (urn: string): boolean => urn === "" || typeIn(urn) === "pulumi:pulumi:Stack";

/** The text without what the engine writes before that of a provider: "error: TYPE resource 'NAME' has a problem: ", or the number of errors. */
export function withoutPrefix(message: string): string {
  const before = " has a problem: ";
  const start = message.lastIndexOf(before);
  const text = start < 0 ? message : message.slice(start + before.length);
  return text
    .replace(/^error: /, "")
    .replace(/^1 error occurred:\s*\*\s*/, "")
    .trim();
}
