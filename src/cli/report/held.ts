/** How an update ended that was held to a plan: what it was refused, and what it did not begin. */
import type { Code } from "../../values/codes.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { Report } from "./report.js";
import { codeIn } from "./errors.js";
import { sendsNothing } from "./planned.js";
import type { Situation } from "./situations.js";
import { safeText } from "./text.js";

/** The errors of a request that its plan does not have: it was not sent. */
const ofPlan: readonly (Code | undefined)[] = ["not-planned", "plan-unreadable"];

/** Whether an update was refused a request, and has sent no other one. An event that is not known may be of one. */
export function isStopped(
  { errors, unknownEvents = 0 }: Pick<PreviewOrUpdate, "errors" | "unknownEvents">,
  situations: readonly Situation[],
): boolean {
  const refused = new Set(errors.filter((error) => ofPlan.includes(codeIn(error))).map(({ urn }) => urn));
  const mayHaveSent = ({ step, planned: { create, update, delete: deleted } }: Situation) =>
    ![create, update, deleted].every(sendsNothing) && !(step.unfinished && refused.has(step.urn));
  return refused.size > 0 && unknownEvents === 0 && !situations.some(mayHaveSent);
}

/** A line for each planned change that an update did not begin. */
export function notBegun(
  { changes, others }: Pick<Report, "changes" | "others">,
  { steps }: Pick<PreviewOrUpdate, "steps">,
): string[] {
  const begun = new Set(steps.filter(({ op }) => op !== undefined).map(({ urn }) => safeText(urn, Infinity)));
  const own = changes.filter(({ urn }) => urn !== "" && !begun.has(urn)).map(({ text }) => text);
  const other = others.flatMap(({ resources }) => resources).filter(({ urn }) => !begun.has(urn));
  return [...own, ...other.map(({ op, urn }) => `${op} ${urn}`)];
}
