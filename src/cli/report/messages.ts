/**
 * The errors, violated policies and warnings of a run, as lines for a comment on a pull request. Pipelines mask secrets in logs, not in comments,
 * so text that may contain a secret is not repeated.
 */
import { pathInEntry, sectionNames, sectionOf } from "../../organization-file/entries.js";
import type { ChangedResource, PlaceOf } from "../../organization-file/places.js";
import { compact } from "../../values/any.js";
import { riskCodes } from "../../values/codes.js";
import { blockIn, diagnosticIn, diagnosticText, type Diagnostic } from "../../values/diagnostic.js";
import { isInOrganization, organizationType, urnParts } from "../../values/engine.js";
import { cleanText, maskedText } from "../../values/text.js";
import { parenthesized, plural, safeText } from "../output.js";
import type { EngineMessage, Preview } from "../pulumi/preview.js";
import type { Step } from "../pulumi/steps.js";
import { declarationOf, lifecycleOf } from "./situations.js";

interface Context {
  readonly steps: readonly Step[];
  readonly nameOf: (urn: string) => string;
  readonly placeOf: PlaceOf;
  readonly secrets: readonly string[];
}

/** Longest message, characters. It is long because a guard's message ends with what to do. */
const maxMessage = 1000;

/** "recordings (organization.yaml:3): days: must be … [wrong-value]" */
const subjectLine = (name: string, place: string | undefined, text: string): string =>
  `${safeText(name)}${parenthesized(place && safeText(place))}: ${text}`;

const typeIn = (urn: string): string => urnParts(urn).type;

/** A resource, an Organization, or the native provider, which reports what is wrong in its settings. */
const isOwnType = (type: string): boolean =>
  lifecycleOf(type) !== undefined || type === organizationType || type === "pulumi:providers:voiceplane";

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

const noMessage = "an error without a message";

/** The errors as lines, without the secrets, and without "preview failed", which the summary says. */
export function errorLines(problems: readonly EngineMessage[], context: Context): string[] {
  const lines = problems.flatMap((problem) => {
    const own = ownLines(problem, context);
    return (
      own?.map((text) => cleanText(text, context.secrets, maxMessage) ?? noMessage) ?? foreignLine(problem, context)
    );
  });
  return [...new Set(lines)];
}

/** What this package says, which repeats no value that may be secret; undefined for what the engine or a program says. */
function ownLines({ urn, message }: EngineMessage, context: Context): string[] | undefined {
  const text = withoutPrefix(message);
  if (isOwnType(typeIn(urn))) return [resourceLine(urn, text, context)];
  if (!isOfStack(urn)) return undefined;
  const block = blockIn(text);
  if (!block) return diagnosticIn(text) ? [text] : undefined;
  const { heading, owner, problems } = block;
  if (!owner) return [heading, ...problems.map(diagnosticText)];
  return problems.map((each) => {
    const place = context.placeOf(subjectIn(owner.type, owner.name, each));
    return subjectLine(owner.name, place, diagnosticText(each));
  });
}

/** The first line of another package's error, and the next one where the first announces it. A long word may be a secret. */
function foreignLine({ urn, message }: EngineMessage, { nameOf, secrets }: Context): string[] {
  const [first = "", ...others] = withoutPrefix(message)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  if (/^\w+ failed$/.test(first)) return [];
  const shown = first.endsWith(":") ? [first, ...others.slice(0, 1)] : [first];
  const text = maskedText(shown.join(" "), secrets) ?? noMessage;
  const line = others.length >= shown.length ? `${text} …` : text;
  return [isOfStack(urn) ? line : subjectLine(nameOf(urn), undefined, line)];
}

function resourceLine(urn: string, text: string, { steps, nameOf, placeOf }: Context): string {
  const type = lifecycleOf(typeIn(urn))?.type ?? typeIn(urn);
  const isEntry = isInOrganization(urn);
  const found = diagnosticIn(text);
  const path = found?.path ?? [];
  const edited = path.slice(0, 1).map(String);
  // What was refused has no step, so its parent is not known: it may be each Organization whose name its own name begins with.
  const parents = isEntry ? steps.filter((step) => step.type === organizationType).map((step) => step.urn) : [];
  const declarations = [...parents, ""].map((parent) => declarationOf(urn, parent));
  const place = compact(...declarations.map((each) => placeOf({ type, ...each, id: undefined, edited })))[0];
  const shown = found && isEntry ? { ...found, path: pathInEntry(type, path) } : found;
  return subjectLine(nameOf(urn), place, shown ? diagnosticText(shown) : text);
}

/** What a problem in the arguments of a resource, or of an entry of an Organization, is about. */
function subjectIn(type: string, name: string, { path = [] }: Diagnostic): ChangedResource {
  const keys = path.map(String);
  const [argument, key] = keys;
  const section = type === "Organization" ? sectionNames.find((each) => each === argument) : undefined;
  if (section === undefined || key === undefined) return { type, name, id: undefined, edited: keys.slice(0, 1) };
  const edited = keys.slice(2, 3);
  return { type: sectionOf(section).type, name, organization: name, key, id: undefined, edited };
}

/** One line for each mandatory policy and resource, with the policy's reason, which may repeat a secret in plain text. */
export function violationLines({ violations, steps }: Preview, { nameOf, secrets }: Context): string[] {
  if (violations.length === 0) return [];
  const seen = JSON.stringify(steps);
  // A long word is shown only if the preview has it too, such as an id or a name: the preview has no secret in plain text.
  const masked = (message: string) =>
    message.replace(/[^\s"'`()[\],;]{16,}/g, (word) =>
      seen.includes(word.replace(/[.:!?]+$/, "")) ? word : "[redacted]",
    );
  const lines = violations.map(({ policy, urn, message }) => {
    const by = urn === "" ? "" : ` by ${nameOf(urn)}`;
    const reason = cleanText(masked(message), secrets, maxMessage) ?? "it gives no reason";
    return `${safeText(`the policy ${policy} is violated${by}`)}: ${reason}`;
  });
  return lines.sort();
}

/** The codes of the warnings that a report does not repeat, because it says the same in its own words. */
const saidElsewhere = new Set<string>([...Object.keys(riskCodes), "uncertain", "still-declared"]);

/**
 * The warnings of this package, each once. They are sorted, because the engine's order differs from run to run. Warnings of others are left out,
 * because they may contain a secret.
 */
export function warningLines({ warnings, unknownEvents }: Preview, { secrets }: Context): string[] {
  const lines = warnings.flatMap(({ urn, message }) => {
    const text = message.replace(/^(warning: |voiceplane: )*/, "").trim();
    const found = isOfStack(urn) || isOwnType(typeIn(urn)) ? diagnosticIn(text) : undefined;
    return found && !saidElsewhere.has(found.code) ? (cleanText(text, secrets, maxMessage) ?? []) : [];
  });
  const unread =
    unknownEvents > 0 &&
    `Pulumi reported ${plural(unknownEvents, "event")} that this version of voiceplane does not know`;
  return [...new Set(lines)].sort().concat(compact(unread));
}
