/** A report in one line, such as "5 requests, 2 other changes: deletes data, cuts a trunk". */
import type { Risk } from "../../lifecycle/effects/risk.js";
import { compact } from "../../values/any.js";
import { plural } from "../output.js";

/** Longest description of a commit status on GitHub, characters. */
const maxLength = 140;

interface SummaryFacts {
  readonly complete: boolean;
  /** The worst first. */
  readonly risks: readonly Risk[];
  readonly requestCount: number;
  /** How many changes send nothing, or are of other packages. */
  readonly otherCount: number;
  readonly uncertain: readonly string[];
}

export function summaryOf({ complete, risks, requestCount, otherCount, uncertain }: SummaryFacts): string {
  const requests = requestCount === 0 ? "no requests" : plural(requestCount, "request");
  const others = otherCount > 0 && plural(otherCount, "other change");
  const counts = requestCount + otherCount === 0 ? "no changes" : compact(requests, others).join(", ");
  const doubt = uncertain.length > 0 && `${uncertain.length} uncertain`;
  const line = compact(!complete && "the preview failed", doubt, (complete || counts !== "no changes") && counts).join(
    "; ",
  );
  // A report without a failure has the phase before the summary.
  return withRisks(line, risks, complete ? maxLength - "preview: ".length : maxLength);
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
