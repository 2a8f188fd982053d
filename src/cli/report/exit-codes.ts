/** The exit codes that pipelines get, and what `--fail-on` takes. */
import { labelOf, risks } from "../../lifecycle/effects/risk.js";
import type { Report } from "./report.js";

/** The command did its job, failed, or stopped before it sent anything. */
export const exitCodes = { done: 0, failed: 1, stopped: 2 } as const;

export const riskLabels: readonly string[] = risks.map(labelOf);

/** What decides the exit code. */
export type Outcome = Pick<Report, "complete" | "changeCount" | "editCount" | "risks">;

/** For each word of `--fail-on`, whether a report has what the word names. */
const failOnTests: Readonly<Record<string, (outcome: Outcome) => boolean>> = {
  changes: ({ changeCount }) => changeCount > 0,
  risks: (outcome) => outcome.risks.length > 0,
  edits: ({ editCount }) => editCount > 0,
  ...Object.fromEntries(risks.map((risk) => [labelOf(risk), (outcome: Outcome) => outcome.risks.includes(risk)])),
};

export const failOnWords = Object.keys(failOnTests);

/** @param failOn the words for what must not pass. A failed preview never passes: steps may be missing. */
export function exitCodeOf(outcome: Outcome, failOn: readonly string[] = []): number {
  if (!outcome.complete) return exitCodes.failed;
  return stoppedBy(outcome, failOn).length > 0 ? exitCodes.stopped : exitCodes.done;
}

/** The words of `--fail-on` that the report has. */
export const stoppedBy = (outcome: Outcome, failOn: readonly string[] = []): readonly string[] =>
  failOn.filter((word) => failOnTests[word]?.(outcome));
