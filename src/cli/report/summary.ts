/** A report in one line, such as "5 requests, 2 other changes: deletes data, cuts a trunk". */
import { compact } from "../../values/any.js";
import { plural } from "../output.js";
import type { Risk } from "../../lifecycle/effects/effect.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";

/** Longest description of a commit status on GitHub, characters. */
const maxLength = 140;

interface SummaryFacts extends Pick<PreviewOrUpdate, "phase" | "complete"> {
  /** The worst first. */
  readonly risks: readonly Risk[];
  readonly requestCount: number;
  /** How many changes send nothing, or are of other packages. */
  readonly otherCount: number;
  readonly unfinishedCount: number;
  readonly isProgramChanged: boolean;
  readonly uncertain?: readonly string[] | undefined;
}

export function summaryOf(facts: SummaryFacts): string {
  const { phase, complete, isProgramChanged, uncertain = [] } = facts;
  const doubt = uncertain.length > 0 && `${uncertain.length} uncertain`;
  const outcome = complete ? (countsOf(facts) ?? "no changes") : failureOf(facts);
  const line = compact(doubt, outcome).join("; ") + (isProgramChanged ? ", what runs changed" : "");
  // A report without a failure has the phase before the summary.
  return withRisks(line, facts.risks, complete ? maxLength - `${phase}: `.length : maxLength);
}

function failureOf(facts: SummaryFacts): string {
  const { phase, unfinishedCount } = facts;
  const unfinished = unfinishedCount > 0 && `${plural(unfinishedCount, "change")} did not finish`;
  const failure = compact(`the ${phase} failed`, unfinished).join(", ");
  return compact(failure, countsOf(facts)).join("; ");
}

/** Undefined if there are no changes. */
function countsOf({ requestCount, otherCount }: SummaryFacts): string | undefined {
  if (requestCount + otherCount === 0) return undefined;
  const requests = requestCount === 0 ? "no requests" : plural(requestCount, "request");
  return otherCount === 0 ? requests : `${requests}, ${plural(otherCount, "other change")}`;
}

/** The line with as many risks as fit, and the number of the others. */
function withRisks(line: string, risks: readonly Risk[], room: number): string {
  for (let shown = risks.length; shown > 0; shown--) {
    const left = risks.length - shown;
    const named = compact(...risks.slice(0, shown), left > 0 && `${left} more`);
    const whole = `${line}: ${named.join(", ")}`;
    if (whole.length <= room) return whole;
  }
  return line.length > room ? `${line.slice(0, room - 1)}…` : line;
}
