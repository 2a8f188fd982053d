/**
 * The errors of a run, as lines for a comment on a pull request. Pipelines mask secrets in logs, not in comments, so text that may contain a
 * secret is not repeated.
 */
import { pathInEntry, sectionNames, sectionOf } from "../../../organization-file/entries.js";
import type { ChangedResource, PlaceOf } from "../../../organization-file/places.js";
import { blockIn, diagnosticIn, diagnosticText, type Diagnostic } from "../../../values/diagnostic.js";
import { isInOrganization } from "../../../values/engine.js";
import { cleanText } from "../../../values/text.js";
import type { EngineMessage } from "../../pulumi/preview-or-update.js";
import type { Step } from "../../pulumi/steps.js";
import { declarationOf, lifecycleOf, typeIn } from "../situations/resources.js";
import { engineLines } from "./engine-errors.js";
import { isOfStack, isOwnType, limited, maxMessage, subjectLine, withoutPrefix } from "./message.js";

interface ErrorContext {
  readonly steps: readonly Step[];
  readonly nameOf: (urn: string) => string;
  readonly placeOf: PlaceOf;
}

/** The errors as lines, without the secrets, and without "update failed", which the summary says. */
export function errorLines(
  problems: readonly EngineMessage[],
  context: ErrorContext,
  secrets: readonly string[],
): string[] {
  const lines = withoutEchoes(problems).flatMap((problem) => {
    const own = ownLines(problem, context);
    const texts = own ?? engineLines(problem, context.nameOf, secrets);
    const maxLength = own ? maxMessage : undefined;
    return texts.map((text) => cleanText(text, secrets, maxLength) ?? "an error without a message");
  });
  return limited(lines);
}

/** What this package says, which repeats no value that may be secret; undefined for what the engine or a program says. */
function ownLines({ urn, message }: EngineMessage, context: ErrorContext): string[] | undefined {
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

function resourceLine(urn: string, text: string, { steps, nameOf, placeOf }: ErrorContext): string {
  const type = lifecycleOf(typeIn(urn))?.type ?? typeIn(urn);
  const found = diagnosticIn(text);
  const path = found?.path ?? [];
  const edited = path.slice(0, 1).map(String);
  const places = declarationsOfRefused(urn, steps).map((each) => placeOf({ type, ...each, id: undefined, edited }));
  const place = places.find((each) => each !== undefined);
  if (!found) return subjectLine(nameOf(urn), place, isClaimedTwice(text) ? claimedTwice : text);
  const shown = isInOrganization(urn) ? { ...found, path: pathInEntry(type, path) } : found;
  return subjectLine(nameOf(urn), place, diagnosticText(shown));
}

const isClaimedTwice = (text: string): boolean => /^Duplicate resource .* conflicting with /.test(text);

/** Instead of the engine's own sentence, which has two or three URNs. */
const claimedTwice =
  "two resources claim one state, by `formerly` or an alias, or because the old one is declared too: leave it to one of them";

/**
 * What may declare a resource that was refused. It has no step, so its parent is not known: it may be each Organization whose name its own name
 * begins with.
 */
function declarationsOfRefused(urn: string, steps: readonly Step[]): ReturnType<typeof declarationOf>[] {
  const parents = isInOrganization(urn) ? steps : [];
  const entries = parents.map((step) => declarationOf(urn, step.urn)).filter(({ key }) => key !== undefined);
  return [...entries, declarationOf(urn)];
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

/** Without the errors of calls that the engine ended because of another error. */
function withoutEchoes(problems: readonly EngineMessage[]): readonly EngineMessage[] {
  const causes = problems.filter(({ message }) => !message.includes("grpc: the client connection is closing"));
  return causes.length > 0 ? causes : problems;
}
