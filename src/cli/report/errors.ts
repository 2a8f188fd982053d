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

/** Without the secrets, and without "update failed", which the summary says. */
export function errorLines(
  problems: readonly EngineProblem[],
  nameOf: NameOf,
  secrets: readonly string[],
  placeOf: PlaceOfError = () => undefined,
): string[] {
  const lines = withoutEchoes(problems).flatMap((problem) => {
    const isOwn = isOwnType(typeIn(problem.urn));
    const own = isOwn ? [ownMessage(problem, nameOf, placeOf)] : linesOf(problem, nameOf, secrets);
    return own.map(
      (line) =>
        cleanText(line, secrets, isOwn || codeIn(line) ? maxMessage : undefined) ?? "an error without a message",
    );
  });
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];
}

/** A resource, an Organization, or the native provider, which reports what is wrong in its settings. */
const isOwnType = (type: string): boolean =>
  lifecycleOf(type) !== undefined || /^(?:pulumi:providers:voiceplane$|voiceplane:)/.test(type);

/** Without the errors of calls that the engine ended because of another error. */
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

/** The text with the keys of an organization's entry: `days` for `retentionDays`, and `outboundAuth: cleared` for `cleared: true`. */
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
  // A line with a code is of this package, and contains no value that may be secret. There may be a heading above these lines.
  const problems = codeIn(first) === undefined ? rest : [first, ...rest];
  if (problems.length > 0 && problems.every((line) => codeIn(line) !== undefined)) return [first, ...rest];
  if (/^\w+ failed$/.test(first)) return [];
  if (/\bunhandled exception:$/.test(first)) {
    // Python writes the exception last, below its traceback.
    const unindented = rest.filter((line) => /^\S/.test(line));
    const exception = unindented[0]?.startsWith("Traceback ") ? unindented.at(-1) : unindented[0];
    return [`${first} ${maskedText(exception, secrets) ?? ""}`.trim() + seeTheRest];
  }
  // The rest is a stack trace or the text of any exception, which may hold a secret.
  return [rest.length > 0 ? `${first.replace(/:$/, "")}${seeTheRest}` : first];
}

const seeTheRest = " (see Pulumi's own output for the rest)";

/** Warnings about names in the configuration that are not read. Others may contain a secret, or repeat what the changes say. */
export const warningLines = (warnings: readonly string[], secrets: readonly string[]): string[] => [
  ...new Set(
    warnings
      .map((text) => text.replace(/^(warning: |voiceplane: )*/, "").trim())
      .filter((text) => codeIn(text) === "setting-unread")
      .flatMap((text) => cleanText(text, secrets) ?? []),
  ),
];

/** The engine gives this type to the program's errors, and to some of its own. */
const stackType = "pulumi:pulumi:Stack";

const withoutPrefix = (message: string): string =>
  message.replace(/^error: /, "").replace(/^1 error occurred:\s*\*\s*/, "");

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
 * A policy reads secrets in plain text, and its message may repeat them. So a long word is shown only if the preview has it too, as it has ids and
 * names: the preview contains no secret in plain text.
 *
 * @param shown all steps of the preview
 */
const withoutHiddenValues = (message: string, shown: string): string =>
  message.replace(/[^\s"'`()[\],;]{16,}/g, (word) => {
    const isShown = shown.includes(word.replace(/[.:!?]+$/, ""));
    return isShown || isPage(word) ? word : "[redacted]";
  });

/** Whether it is the address of a page that explains the policy: words without a digit, none of them long. */
const isPage = (word: string): boolean => /^https:\/\/[a-z]{1,15}(?:[./-]+[a-z]{1,15})*\/?\.?$/.test(word);
