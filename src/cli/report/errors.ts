/**
 * Errors, warnings and violated policies, as lines for a comment on a pull request. Pipelines mask secrets in logs, not in comments, so text
 * that may contain a secret is not repeated.
 */
import { stripVTControlCharacters } from "node:util";
import { cleanText, maskedText } from "../../values/text.js";
import { organizationType } from "../../values/engine.js";
import { pathInEntry, sectionNames, sectionOf } from "../../organization-file/entries.js";
import type { ChangedResource } from "../../organization-file/places.js";
import type { Code } from "../../values/codes.js";
import { blockIn, diagnosticIn, diagnosticText, type Diagnostic } from "../../values/diagnostic.js";
import type { PreviewOrUpdate, EngineProblem } from "../pulumi/preview-or-update.js";
import { lifecycleOf, typeIn } from "./resources.js";
import { riskLabels } from "./risks.js";
import type { Situation } from "./situations.js";
import { parenthesized, safeText } from "./text.js";

/** The most lines: they fit into a comment. */
const maxLines = 50;

/** Longest message of this package's resources and of a policy, characters. It is long because a guard's message ends with what to do. */
const maxMessage = 1000;

type NameOf = (urn: string) => string;

/** What an error is about: a resource, or an entry of an Organization. */
type Subject = Omit<ChangedResource, "id" | "edited">;

interface ErrorPlaces {
  readonly nameOf: NameOf;
  /** Where a resource is declared that the engine refused, and has no step for. */
  readonly declarationOf: (urn: string) => Omit<Subject, "type">;
  /** The file and the line of these arguments, or else of the subject. */
  readonly placeOf: (subject: Subject, edited: readonly string[]) => string | undefined;
}

/** The errors as lines, without the secrets, and without "update failed", which the summary says. */
export function errorLines(
  problems: readonly EngineProblem[],
  places: ErrorPlaces,
  secrets: readonly string[],
): string[] {
  const lines = withoutEchoes(problems).flatMap((problem) => {
    const own = ownLines(problem, places);
    const texts = own ?? engineLines(problem, places.nameOf, secrets);
    return texts.map((text) => cleanText(text, secrets, own && maxMessage) ?? "an error without a message");
  });
  return limited(lines);
}

const limited = (lines: readonly string[]): string[] =>
  lines.length <= maxLines ? [...lines] : [...lines.slice(0, maxLines), `and ${lines.length - maxLines} more`];

/** What this package says, which repeats no value that may be secret; undefined for what the engine or a program says. */
function ownLines({ urn, message }: EngineProblem, places: ErrorPlaces): string[] | undefined {
  const text = withoutPrefix(message);
  const type = typeIn(urn);
  if (isOwnType(type)) return [resourceLine(urn, text, places)];
  if (!isOfStack(urn)) return undefined;
  const block = blockIn(text);
  if (!block) return diagnosticIn(text) && [text];
  const { heading, owner, problems } = block;
  if (!owner) return [heading, ...problems.map(diagnosticText)];
  return problems.map((each) => {
    const { subject, edited } = subjectIn(owner.type, owner.name, each);
    return subjectLine(owner.name, places.placeOf(subject, edited), diagnosticText(each));
  });
}

function resourceLine(urn: string, text: string, { nameOf, declarationOf, placeOf }: ErrorPlaces): string {
  const type = lifecycleOf(typeIn(urn))?.type ?? typeIn(urn);
  const subject = { type, ...declarationOf(urn) };
  const found = diagnosticIn(text);
  const { path = [] } = found ?? {};
  const place = placeOf(subject, path.slice(0, 1).map(String));
  const isEntry = urn.includes(`::${organizationType}$`);
  const ofPackage = found && diagnosticText(isEntry ? { ...found, path: pathInEntry(type, path) } : found);
  const ofEngine = /^Duplicate resource .* conflicting with /.test(text) ? claimedTwice : text;
  return subjectLine(nameOf(urn), place, ofPackage ?? ofEngine);
}

/** Instead of the engine's own sentence, which has two or three URNs. */
const claimedTwice =
  "two resources claim one state, by `formerly` or an alias, or because the old one is declared too: leave it to one of them";

/** The subject of a problem in the arguments of what a program declares, and the arguments that the problem is in. */
function subjectIn(type: string, name: string, { path = [] }: Diagnostic): { subject: Subject; edited: string[] } {
  const [argument, key, ...members] = path.map(String);
  const section = type === "Organization" ? sectionNames.find((each) => each === argument) : undefined;
  return section === undefined || key === undefined
    ? { subject: { type, name }, edited: argument === undefined ? [] : [argument] }
    : { subject: { type: sectionOf(section).type, name, organization: name, key }, edited: members.slice(0, 1) };
}

/** "recordings (organization.yaml:3): days: must be … [wrong-value]" */
const subjectLine = (name: string, place: string | undefined, text: string): string =>
  `${safeText(name)}${parenthesized(place && safeText(place))}: ${text}`;

/** A resource, an Organization, or the native provider, which reports what is wrong in its settings. */
const isOwnType = (type: string): boolean =>
  lifecycleOf(type) !== undefined || /^(?:pulumi:providers:voiceplane$|voiceplane:)/.test(type);

/** Without the errors of calls that the engine ended because of another error. */
function withoutEchoes(problems: readonly EngineProblem[]): readonly EngineProblem[] {
  const causes = problems.filter(({ message }) => !message.includes("grpc: the client connection is closing"));
  return causes.length > 0 ? causes : problems;
}

function engineLines({ urn, message }: EngineProblem, nameOf: NameOf, secrets: readonly string[]): string[] {
  if (!isOfStack(urn)) return [`${typeIn(urn)} ${nameOf(urn)} has a problem: see Pulumi's own output`];
  const [first = "", ...rest] = withoutPrefix(message).trim().split(/\r?\n/);
  if (/^\w+ failed$/.test(first)) return [];
  const ofYaml = yamlErrorLines(message);
  if (ofYaml) return ofYaml;
  if (/\bunhandled exception:$/.test(first)) {
    // Python writes the exception last, below its traceback.
    const unindented = rest.filter((line) => /^\S/.test(line));
    const exception = unindented[0]?.startsWith("Traceback ") ? unindented.at(-1) : unindented[0];
    return [`${first} ${maskedText(exception, secrets) ?? ""}`.trim() + seeTheRest];
  }
  // The rest is a stack trace or the text of any exception, which may hold a secret.
  return [rest.length > 0 ? `${first.replace(/:$/, "")}${seeTheRest}` : first];
}

/**
 * The errors that the host of programs in YAML prints, each with its line; if a value has the wrong type, with its keys. The host also quotes the
 * program: that is left out, because it may contain a secret. Undefined for another text.
 */
function yamlErrorLines(message: string): string[] | undefined {
  const errors = stripVTControlCharacters(message)
    .split(/^Error: /m)
    .slice(1);
  const found = errors.map((error) => {
    const [, file, line] = /^ +on (.+) line (\d+):$/m.exec(error) ?? [];
    const place = file === undefined ? undefined : `${file}:${line ?? ""}`;
    const [first = ""] = error.split("\n", 1);
    const ofKeys = wrongKeys(error).map(({ key, text }) => subjectLine(key, place, text));
    const ofPlace = place === undefined ? undefined : [`${safeText(place)}: ${first}`];
    return { first, lines: ofKeys.length > 0 ? ofKeys : ofPlace };
  });
  if (found.every(({ lines }) => lines === undefined)) return undefined;
  return found.flatMap(({ first, lines }) => lines ?? [first + seeTheRest]);
}

/** The innermost keys of a value that cannot be assigned, with what is wrong: below "Cannot assign", the host indents each key by its depth. */
function wrongKeys(error: string): { key: string; text: string }[] {
  const [, tree = ""] = error.split(/^Cannot assign .*:$/m);
  const path: string[] = [];
  const wrong: { key: string; text: string }[] = [];
  for (const [, indent = "", key = "", text = ""] of tree.matchAll(/^( +)([^:]+): (.+)$/gm)) {
    if (key === existing) {
      const last = wrong.at(-1);
      if (last) last.text += `. ${key}: ${text}`;
      continue;
    }
    path.splice(indent.length / 2 - 1, Infinity, key);
    if (!text.endsWith(":")) wrong.push({ key: path.join("."), text });
  }
  return wrong;
}

const existing = "Existing properties are";

const seeTheRest = " (see Pulumi's own output for the rest)";

/** The codes of the warnings that a report does not repeat, because it says the same in its own words. */
const saidElsewhere = new Set<string>([...riskLabels, "uncertain", "still-declared"]);

/**
 * This package's warnings, each once, in an order that does not depend on the engine. Others may contain a secret.
 *
 * @param subjectOf the name and the place of the object that a text begins with
 */
export function warningLines(
  warnings: readonly EngineProblem[],
  subjectOf: (text: string) => Pick<Situation, "name" | "place"> | undefined,
  secrets: readonly string[],
): string[] {
  const lines = warnings.flatMap(({ urn, message }) => {
    const text = message.replace(/^(warning: |voiceplane: )*/, "").trim();
    const found = isOfStack(urn) || isOwnType(typeIn(urn)) ? diagnosticIn(text) : undefined;
    if (!found || saidElsewhere.has(found.code)) return [];
    const subject = subjectOf(text);
    return cleanText(subject ? subjectLine(subject.name, subject.place, text) : text, secrets, maxMessage) ?? [];
  });
  return limited([...new Set(lines)].sort());
}

export const codeIn = ({ message }: EngineProblem): Code | undefined => diagnosticIn(withoutPrefix(message))?.code;

/** Whether it is a problem of the program, or of the engine itself: both may have the stack's URN. */
const isOfStack = (urn: string): boolean => urn === "" || typeIn(urn) === "pulumi:pulumi:Stack";

/** The text without what the engine writes before that of a provider: "error: TYPE resource 'NAME' has a problem: ", or the number of errors. */
function withoutPrefix(message: string): string {
  const before = " has a problem: ";
  const start = message.lastIndexOf(before);
  const text = start < 0 ? message : message.slice(start + before.length);
  return text
    .replace(/^error: /, "")
    .replace(/^1 error occurred:\s*\*\s*/, "")
    .trim();
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
