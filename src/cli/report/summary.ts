import type { Preview } from "./read.js";
import type { Risk } from "./risks.js";

/** What GitHub takes as the description of a commit status, characters. */
const maxLength = 140;

interface SummaryFacts {
  readonly kind: Preview["kind"];
  readonly complete: boolean;
  readonly changeCount: number;
  readonly risks: readonly Risk[];
}

/** One line: "9 changes: deletes data, cuts a trunk". */
export function summaryOf({ kind, complete, changeCount, risks }: SummaryFacts): string {
  const failure = complete ? [] : [`the ${kind} failed`];
  const labels = risks.length > 0 ? `: ${risks.join(", ")}` : "";
  const changes = complete || changeCount > 0 ? [`${countOf(changeCount)}${labels}`] : [];
  const line = [...failure, ...changes].join("; ");
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

function countOf(changes: number): string {
  if (changes === 0) return "no changes";
  return changes === 1 ? "1 change" : `${changes} changes`;
}
