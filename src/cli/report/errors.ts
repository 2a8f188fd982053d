/**
 * Errors, as lines for a comment on a pull request. Pipelines mask secrets in logs, not in comments, so text that may hold a
 * secret is not repeated.
 */
import { cleanText, maskedText } from "../../values/text.js";
import { sectionNames, sectionOf } from "../../organization-file/entries.js";
import { codeIn } from "../../values/diagnostic.js";
import type { PreviewOrUpdate, EngineProblem } from "../pulumi/preview-or-update.js";
import { lifecycleOf, typeIn } from "./resources.js";
import { plain } from "./text.js";

/** As many lines as fit into a comment. */
const maxLines = 50;

/** Longest message of this package's resources and of a policy, characters. The end of a guard's message says what to do. */
const maxMessage = 1000;

type NameOf = (urn: string) => string;

/** The file and line that declare an argument of a resource, or else the resource. */
type PlaceOfError = (urn: string, argument: string) => string | undefined;

/** Leaves out "update failed", which is in the summary, and the secrets. */
export function errorLines(
  problems: readonly EngineProblem[],
  nameOf: NameOf,
  secrets: readonly string[],
  placeOf: PlaceOfError = () => undefined,
): string[] {
  const lines = withoutEchoes(problems).flatMap((problem) => {
    if (isOwn(problem)) return [cleanText(ownMessage(problem, nameOf, placeOf), secrets, maxMessage) ?? unknownError];
    return linesOf(problem, nameOf, secrets).map(
      (line) => cleanText(line, secrets, codeIn(line) && maxMessage) ?? unknownError,
    );
  });
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];
}

const unknownError = "an error without a message";

/** Of the resources, of an Organization, and of the native provider: it says what is wrong in its settings. */
function isOwn({ urn }: EngineProblem): boolean {
  return lifecycleOf(typeIn(urn)) !== undefined || /^(?:pulumi:providers:voiceplane$|voiceplane:)/.test(typeIn(urn));
}

/** Without what the engine says of calls that ended because of another error. */
function withoutEchoes(problems: readonly EngineProblem[]): readonly EngineProblem[] {
  const causes = problems.filter(({ message }) => !message.includes("grpc: the client connection is closing"));
  return causes.length > 0 ? causes : problems;
}

/**
 * "recordings: retentionDays: …" for the engine's "TYPE resource 'org-recordings' has a problem: retentionDays: …", and for its
 * "TYPE resource 'org-recordings': property retentionDays value {0} has a problem: …", without the value.
 */
function ownMessage({ urn, message }: EngineProblem, nameOf: NameOf, placeOf: PlaceOfError): string {
  const subject = /^\S+ resource '[^']*'(?:: property (\S+) value [^]*)? has a problem: /;
  const text = withoutPrefix(message).replace(
    subject,
    (whole: string, property: string | undefined, offset: number, all: string) => {
      const argument = property ?? /^\w+(?=[:.[])/.exec(all.slice(offset + whole.length))?.[0] ?? "";
      const place = placeOf(urn, argument);
      const name = plain(nameOf(urn)) + (place === undefined ? "" : ` (${plain(place)})`);
      return [name, ...(property === undefined ? [] : [property]), ""].join(": ");
    },
  );
  return urn.includes("::voiceplane:index:Organization$") ? inWordsOfEntries(text, typeIn(urn)) : text;
}

/** With the keys that an entry of an organization has: `days` for `retentionDays`, and `outboundAuth: cleared` for `cleared: true`. */
function inWordsOfEntries(text: string, type: string): string {
  const section = sectionNames.map(sectionOf).find((each) => each.type === lifecycleOf(type)?.type);
  const { names = {}, values = {} } = section ?? {};
  const written = Object.entries(values).flatMap(([name, own]) =>
    Object.entries(own).map(([word, value]) => [`${names[name]}: ${String(value)}`, `${name}: ${word}`] as const),
  );
  const withValues = written.reduce((words, [argument, entry]) => words.replaceAll(argument, entry), text);
  return Object.entries(names).reduce(
    (words, [key, argument]) => words.replace(new RegExp(String.raw`\b${argument}(?=:)`, "g"), key),
    withValues,
  );
}

function linesOf({ urn, message }: EngineProblem, nameOf: NameOf, secrets: readonly string[]): string[] {
  const type = typeIn(urn);
  if (urn !== "" && type !== stackType) return [`${type} ${nameOf(urn)} has a problem: see Pulumi's own output`];
  const [first = "", ...rest] = withoutPrefix(message).trim().split(/\r?\n/);
  // This package's own problems contain no value that may be secret: each line has its code, below a heading.
  const problems = codeIn(first) === undefined ? rest : [first, ...rest];
  if (problems.length > 0 && problems.every((line) => codeIn(line) !== undefined)) return [first, ...rest];
  if (/^\w+ failed$/.test(first)) return [];
  if (/\bunhandled exception:$/.test(first)) {
    // Python has the exception last, below its traceback.
    const said = rest.filter((line) => /^\S/.test(line));
    const exception = (said[0] ?? "").startsWith("Traceback ") ? said.at(-1) : said[0];
    return [`${first} ${maskedText(exception, secrets) ?? ""}`.trim() + seeTheRest];
  }
  // The rest is a stack trace or the text of any exception, which may hold a secret.
  return [rest.length > 0 ? `${first.replace(/:$/, "")}${seeTheRest}` : first];
}

const seeTheRest = " (see Pulumi's own output for the rest)";

/** Warnings about the configuration's names. Others may have a secret, or are said by the changes. */
export const warningLines = (warnings: readonly string[], secrets: readonly string[]): string[] => [
  ...new Set(
    warnings
      .map((text) => text.replace(/^(warning: |voiceplane: )*/, "").trim())
      .filter((text) => codeIn(text) === "setting-unread")
      .flatMap((text) => cleanText(text, secrets) ?? []),
  ),
];

/** The engine reports the program's errors, and some of its own, for this type. */
const stackType = "pulumi:pulumi:Stack";

/** Without the engine's prefixes. */
function withoutPrefix(message: string): string {
  return message.replace(/^error: /, "").replace(/^1 error occurred:\s*\*\s*/, "");
}

/** One line for each mandatory policy and resource, with the policy's reason. */
export function violationLines(
  { violations, steps }: PreviewOrUpdate,
  nameOf: NameOf,
  secrets: readonly string[],
): string[] {
  const shown = violations.length === 0 ? "" : JSON.stringify(steps);
  const lines = violations.map(({ policy, urn, message }) => {
    const by = urn === "" ? "" : ` by ${nameOf(urn)}`;
    const reason = cleanText(withoutHiddenValues(message, shown), secrets, maxMessage) ?? "it gives no reason";
    return `${plain(`the policy ${policy} is violated${by}`)}: ${reason}`;
  });
  return lines.sort();
}

/**
 * A policy reads secrets in plain text, and its message may repeat them. The engine hides those of the stack's configuration, the preview has
 * no other in plain text. So a long word, whatever it looks like, is shown only if the preview shows it, as it does ids and names.
 *
 * @param shown all that the preview shows
 */
const withoutHiddenValues = (message: string, shown: string): string =>
  message.replace(/[^\s"'`()[\],;]{16,}/g, (word) => {
    const isShown = shown.includes(word.replace(/[.:!?]+$/, ""));
    return isShown || isAddress(word) ? word : "[redacted]";
  });

/** Of a page that explains the policy: words without a digit, none of them long. */
const isAddress = (word: string): boolean => /^https:\/\/[a-z]{1,15}(?:[./-]+[a-z]{1,15})*\/?\.?$/.test(word);
