/** The labels of risks, and the exit codes that pipelines get for them. */
import { labelOf, risks, type Risk } from "../../lifecycle/effects/effect.js";

/** Of all commands: they did their job, failed, or stopped before sending. */
export const exitCodes = { done: 0, failed: 1, stopped: 2 } as const;

export const riskLabels: readonly string[] = risks.map(labelOf);

/** What decides the exit code. */
export interface ReportFacts {
  /** False if the preview or update failed, so that changes may be missing, or if the update would be refused. */
  readonly complete: boolean;
  /** Changes, whether they send or not, and other resources; without components and the stack. */
  readonly changeCount: number;
  /** How many of them are more than due by date, those of other resources included. */
  readonly editCount: number;
  /** All risks of all changes, each once, the worst first. */
  readonly risks: readonly Risk[];
}

/** Whether a report has what a word of `--fail-on` names. */
const found: Readonly<Record<string, (facts: ReportFacts) => boolean>> = {
  changes: ({ changeCount }) => changeCount > 0,
  risks: (facts) => facts.risks.length > 0,
  edits: (facts) => facts.editCount + facts.risks.length > 0,
  none: () => false,
  ...Object.fromEntries(risks.map((risk) => [labelOf(risk), (facts: ReportFacts) => facts.risks.includes(risk)])),
};

export const failOnWords = Object.keys(found);

/** @param failOn what must not pass. A failed preview never passes: steps may be missing. */
export function exitCodeOf(facts: ReportFacts, failOn: readonly string[] = []): number {
  if (!facts.complete) return exitCodes.failed;
  return stoppedBy(facts, failOn).length > 0 ? exitCodes.stopped : exitCodes.done;
}

/** The words of `--fail-on` that the report has. */
export const stoppedBy = (facts: ReportFacts, failOn: readonly string[] = []): readonly string[] =>
  failOn.filter((word) => found[word]?.(facts));

export function risksOf(items: readonly { readonly risks: readonly Risk[] }[]): Risk[] {
  return risks.filter((risk) => items.some((item) => item.risks.includes(risk)));
}

/** Sorts the worst first: by the worst risk of each, then by the next. Having no further risk is the least. */
export function compareRisks(a: readonly Risk[], b: readonly Risk[]): number {
  const place = [...a, ...b].findIndex((_risk, index) => a[index] !== b[index]);
  return rankOf(a[place]) - rankOf(b[place]);
}

const rankOf = (risk: Risk | undefined): number => (risk === undefined ? risks.length : risks.indexOf(risk));
