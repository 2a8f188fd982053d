/** What an update did not do because of its plan or an error: the requests that it was refused, and the changes that it did not begin. */
import type { Code } from "../../values/codes.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import type { Step } from "../pulumi/steps.js";
import type { OtherChanges } from "./changes/others.js";
import type { Report } from "./report.js";
import { codeIn } from "./messages/message.js";
import { sendsNothing } from "./situations/planned.js";
import type { Situation } from "./situations/situations.js";
import { safeText } from "../output.js";

/** @param others what the update has begun to change of other packages */
export const heldBack = (
  planned: Pick<Report, "changes" | "others">,
  run: PreviewOrUpdate,
  situations: readonly Situation[],
  others: readonly OtherChanges[],
): Pick<Report, "notBegun" | "isStopped"> => ({
  notBegun: notBegun(planned, run.steps),
  isStopped: others.length === 0 && isStopped(run, situations),
});

/** Whether an update was refused a request, and has sent no other one. An unknown event may be of a request that was sent. */
function isStopped({ errors, unknownEvents = 0 }: PreviewOrUpdate, situations: readonly Situation[]): boolean {
  const refused = new Set(errors.filter((error) => isRefusal(codeIn(error))).map(({ urn }) => urn));
  const mayHaveSent = ({ step, planned }: Situation): boolean => {
    const isRefused = step.unfinished && refused.has(step.urn);
    const sends = [planned.create, planned.update, planned.delete].some((each) => !sendsNothing(each));
    return sends && !isRefused;
  };
  return refused.size > 0 && unknownEvents === 0 && !situations.some(mayHaveSent);
}

/** Whether a request was not sent because the plan does not have it. */
const isRefusal = (code: Code | undefined): boolean => code === "not-planned" || code === "plan-unreadable";

/** A line for each planned change that an update did not begin. */
function notBegun({ changes, others }: Pick<Report, "changes" | "others">, steps: readonly Step[]): string[] {
  // The URNs of a report are safe text.
  const begun = new Set(steps.filter(({ op }) => op !== undefined).map(({ urn }) => safeText(urn, Infinity)));
  const own = changes.filter(({ urn }) => urn !== "" && !begun.has(urn)).map(({ text }) => text);
  const other = others.flatMap(({ resources }) => resources).filter(({ urn }) => !begun.has(urn));
  return [...own, ...other.map(({ op, urn }) => `${op} ${urn}`)];
}
