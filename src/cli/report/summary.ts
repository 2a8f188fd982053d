import type { Preview } from "./read.js";
import type { Risk } from "./risks.js";

/** What GitHub takes as the description of a commit status, characters. */
const maxLength = 140;

interface SummaryFacts {
  readonly kind: Preview["kind"];
  readonly complete: boolean;
  readonly requestCount: number;
  /** Changes for which this package sends nothing. */
  readonly otherCount: number;
  readonly unseenCount: number;
  readonly risks: readonly Risk[];
}

/** One line: "5 requests, 2 other changes: deletes data, cuts a trunk". */
export function summaryOf({ kind, complete, risks, ...counts }: SummaryFacts): string {
  const failure = complete ? [] : [`the ${kind} failed`];
  const isQuiet = counts.requestCount + counts.otherCount === 0;
  const line = [...failure, ...(complete || !isQuiet ? [countOf(counts)] : [])].join("; ");
  return withLabels(line, risks);
}

function countOf({ requestCount, otherCount, unseenCount }: Omit<SummaryFacts, "kind" | "complete" | "risks">): string {
  if (requestCount + otherCount === 0) {
    return unseenCount === 0 ? "no changes" : `no changes seen, ${plural(unseenCount, "resource")} not shown`;
  }
  const requests = requestCount === 0 ? "no requests" : plural(requestCount, "request");
  return otherCount === 0 ? requests : `${requests}, ${plural(otherCount, "other change")}`;
}

/** As many labels as fit, the worst first, and how many do not. */
function withLabels(line: string, risks: readonly Risk[]): string {
  for (let shown = risks.length; shown > 0; shown--) {
    const left = risks.length - shown;
    const labels = [...risks.slice(0, shown), ...(left > 0 ? [`${left} more`] : [])].join(", ");
    if (line.length + labels.length + 2 <= maxLength) return `${line}: ${labels}`;
  }
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
