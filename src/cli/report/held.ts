/** What an update did not do because of its plan or an error: the requests that it was refused, and the changes that it did not begin. */
import type { Code } from "../../values/codes.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { Report } from "./report.js";
import { codeIn } from "./messages/message.js";
import { sendsRequest } from "./situations/planned.js";
import type { Situation } from "./situations/situations.js";
import { safeText } from "../output.js";

/** The errors of a request that was not sent, because the plan does not have it. */
const refusals: readonly (Code | undefined)[] = ["not-planned", "plan-unreadable"];

/** Whether an update was refused a request, and has sent no other one. An unknown event may be of a request that was sent. */
export function isStopped(
  { errors, unknownEvents = 0 }: Pick<PreviewOrUpdate, "errors" | "unknownEvents">,
  situations: readonly Situation[],
): boolean {
  const refused = new Set(errors.filter((error) => refusals.includes(codeIn(error))).map(({ urn }) => urn));
  const mayHaveSent = ({ step, planned }: Situation) =>
    [planned.create, planned.update, planned.delete].some(sendsRequest) && !(step.unfinished && refused.has(step.urn));
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
