/** A report in one line, such as "5 requests, 2 other changes: deletes data, cuts a trunk". */
import { compact } from "../../values/any.js";
import type { Risk } from "../../lifecycle/effects/effect.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";

/** Longest description of a commit status on GitHub, characters. */
const maxLength = 140;

interface SummaryFacts extends Pick<PreviewOrUpdate, "phase" | "complete"> {
  /** The worst first. */
  readonly risks: readonly Risk[];
  readonly requestCount: number;
  readonly otherCount: number;
  readonly unfinishedCount: number;
  readonly isProgramChanged: boolean;
  readonly uncertain?: readonly string[] | undefined;
}

export function summaryOf(facts: SummaryFacts): string {
  const { phase, complete, unfinishedCount, isProgramChanged, uncertain = [] } = facts;
  const counts = countsOf(facts);
  const unfinished = unfinishedCount > 0 ? `, ${plural(unfinishedCount, "change")} did not finish` : "";
  const failed = `the ${phase} failed${unfinished}${counts === noChanges ? "" : `; ${counts}`}`;
  const line =
    (uncertain.length === 0 ? "" : `${uncertain.length} uncertain; `) +
    (complete ? counts : failed) +
    (isProgramChanged ? ", what runs changed" : "");
  // A report without a failure has the phase before the summary.
  return withLabels(line, facts.risks, complete ? maxLength - `${phase}: `.length : maxLength);
}

const noChanges = "no changes";

function countsOf({ requestCount, otherCount }: SummaryFacts): string {
  if (requestCount + otherCount === 0) return noChanges;
  const requests = requestCount === 0 ? "no requests" : plural(requestCount, "request");
  return otherCount === 0 ? requests : `${requests}, ${plural(otherCount, "other change")}`;
}

/** The line with as many labels as fit, and the number of the others. */
function withLabels(line: string, risks: readonly Risk[], room: number): string {
  for (let shown = risks.length; shown > 0; shown--) {
    const left = risks.length - shown;
    const labels = compact(...risks.slice(0, shown), left > 0 && `${left} more`).join(", ");
    if (line.length + labels.length + 2 <= room) return `${line}: ${labels}`;
  }
  return line.length > room ? `${line.slice(0, room - 1)}…` : line;
}

export const plural = (count: number, noun: string, several = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : several}`;
