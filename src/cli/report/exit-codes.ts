/** The labels of risks, and the exit codes that pipelines get for them. */
import { labelOf, risks, type Risk } from "../../lifecycle/effects/effect.js";

/** The command did its job, failed, or stopped before it sent anything. */
export const exitCodes = { done: 0, failed: 1, stopped: 2 } as const;

export const riskLabels: readonly string[] = risks.map(labelOf);

/** What decides the exit code. */
export interface ReportFacts {
  /** False if the preview or update failed, so that changes may be missing, or if the update would be refused. */
  readonly complete: boolean;
  /** How many changes there are, with those that send nothing and those of other packages. Components and the stack do not count. */
  readonly changeCount: number;
  /** How many of these changes are not only scheduled. Those of other packages always count. */
  readonly editCount: number;
  /** All risks of all changes, each once, the worst first. */
  readonly risks: readonly Risk[];
}

/** For each word of `--fail-on`, whether a report has what the word names. */
const failOnTests: Readonly<Record<string, (facts: ReportFacts) => boolean>> = {
  changes: ({ changeCount }) => changeCount > 0,
  risks: (facts) => facts.risks.length > 0,
  edits: (facts) => facts.editCount + facts.risks.length > 0,
  none: () => false,
  ...Object.fromEntries(risks.map((risk) => [labelOf(risk), (facts: ReportFacts) => facts.risks.includes(risk)])),
};

export const failOnWords = Object.keys(failOnTests);

/** @param failOn the words for what must not pass. A failed preview never passes: steps may be missing. */
export function exitCodeOf(facts: ReportFacts, failOn: readonly string[] = []): number {
  if (!facts.complete) return exitCodes.failed;
  return stoppedBy(facts, failOn).length > 0 ? exitCodes.stopped : exitCodes.done;
}

/** The words of `--fail-on` that the report has. */
export const stoppedBy = (facts: ReportFacts, failOn: readonly string[] = []): readonly string[] =>
  failOn.filter((word) => failOnTests[word]?.(facts));
