/** The warnings of this package, each once. */
import { objectText } from "../../../lifecycle/object.js";
import type { Values } from "../../../values/any.js";
import { diagnosticIn } from "../../../values/diagnostic.js";
import { cleanText } from "../../../values/text.js";
import { riskCodes } from "../../../values/codes.js";
import type { PreviewOrUpdate } from "../../pulumi/preview-or-update.js";
import type { Step } from "../../pulumi/steps.js";
import { plural } from "../../output.js";
import { typeIn } from "../situations/resources.js";
import type { Situation } from "../situations/situations.js";
import { isOfStack, isOwnType, limited, maxMessage, subjectLine } from "./message.js";

/** The codes of the warnings that a report does not repeat, because it says the same in its own words. */
const saidElsewhere = new Set<string>([...Object.keys(riskCodes), "uncertain", "still-declared"]);

/**
 * The lines are sorted, because the engine's order differs from run to run. Warnings of others are left out, because they may contain a secret.
 *
 * @param subjectOf the name and the place of the object that a text begins with
 */
export function warningLines(
  { phase, warnings }: Pick<PreviewOrUpdate, "phase" | "warnings">,
  subjectOf: (text: string) => Pick<Situation, "name" | "place"> | undefined,
  secrets: readonly string[],
): string[] {
  const lines = warnings.flatMap(({ urn, message }) => {
    const text = message.replace(/^(warning: |voiceplane: )*/, "").trim();
    const found = isOfStack(urn) || isOwnType(typeIn(urn)) ? diagnosticIn(text) : undefined;
    if (!found || saidElsewhere.has(found.code)) return [];
    // `apply` sets the date of its update to that of the preview. If a user has set one, the preview has said so.
    if (phase === "update" && found.code === "time-set") return [];
    const subject = subjectOf(text);
    return cleanText(subject ? subjectLine(subject.name, subject.place, text) : text, secrets, maxMessage) ?? [];
  });
  return limited([...new Set(lines)].sort());
}

/** Finds the situation of the object that a provider's warning begins with: of the step that declares it, or else of the one with its old state. */
export function subjectsOf(situations: readonly Situation[]): (text: string) => Situation | undefined {
  const named = (valuesOf: (step: Step) => Values | undefined) =>
    situations.flatMap((situation) => {
      const values = valuesOf(situation.step);
      return values ? [{ situation, object: `${objectText(situation.lifecycle, values)}: ` }] : [];
    });
  const subjects = [...named(({ after }) => after?.inputs), ...named(({ before }) => before?.outputs)];
  return (text) => subjects.find(({ object }) => text.startsWith(object))?.situation;
}

/** The warning about an update that says more than this version can read. */
export function unknownEventsText({ unknownEvents = 0 }: PreviewOrUpdate, complete: boolean): string | undefined {
  if (unknownEvents === 0) return undefined;
  const outcome = complete ? "ended well" : "failed";
  const unknown = plural(unknownEvents, "of its events is", "of its events are");
  return `the update has ${outcome}, and ${unknown} not known to this version of voiceplane: this report may lack changes`;
}
