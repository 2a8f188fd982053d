/** The labels of risks, and the exit codes that pipelines get for them. */
import { risks, type Risk } from "../../resources/effects/effect.js";

export type { Risk };

/** Of all commands: they did their job, failed, or stopped before sending. */
export const exitCodes = { done: 0, failed: 1, stopped: 2 } as const;

export interface FailOn {
  /** Whether each change counts. */
  readonly changes: boolean;
  /** Whether a change that is not due by date alone counts as a risk: for runs without approval. */
  readonly edits: boolean;
  readonly risks: ReadonlySet<Risk>;
}

const groups: Readonly<Record<string, FailOn>> = {
  changes: { changes: true, edits: false, risks: new Set(risks) },
  risks: { changes: false, edits: false, risks: new Set(risks) },
  edits: { changes: false, edits: true, risks: new Set(risks) },
  none: { changes: false, edits: false, risks: new Set() },
};

/** `--fail-on` takes one of these, or labels of risks. */
export const failOnGroups = Object.keys(groups);

/** As `--fail-on` and JSON spell it. */
export const labelOf = (risk: Risk): string => risk.replaceAll(" ", "-");

export const riskLabels = risks.map(labelOf);

/** Dashes and spaces are the same. Undefined if a word is neither a group nor a label. */
export function failOnOf(words: readonly string[]): FailOn | undefined {
  const found = words.map((word): FailOn | undefined => {
    const name = word.trim().replaceAll("-", " ");
    const risk = risks.find((label) => label === name);
    if (risk !== undefined) return { changes: false, edits: false, risks: new Set([risk]) };
    return Object.hasOwn(groups, name) ? groups[name] : undefined;
  });
  const all = found.filter((each) => each !== undefined);
  if (all.length < found.length) return undefined;
  return {
    changes: all.some(({ changes }) => changes),
    edits: all.some(({ edits }) => edits),
    risks: new Set(all.flatMap((each) => [...each.risks])),
  };
}

/** What to write instead of another word. */
export const failOnWords = `one of ${failOnGroups.join(", ")}, or labels joined by commas: ${riskLabels.join(", ")}`;

/** The parts of a report that decide the exit code. */
export interface ReportFacts {
  readonly complete: boolean;
  readonly changeCount: number;
  readonly editCount: number;
  readonly risks: readonly Risk[];
}

/** A failed preview always fails: its steps may be incomplete. @param failOn what must not pass; undefined for nothing */
export function exitCodeOf(facts: ReportFacts, failOn: FailOn | undefined): number {
  const { complete, changeCount, editCount, risks: found } = facts;
  if (!complete) return exitCodes.failed;
  const isRefused =
    failOn !== undefined &&
    ((failOn.changes && changeCount > 0) ||
      (failOn.edits && editCount > 0) ||
      found.some((risk) => failOn.risks.has(risk)));
  return isRefused ? exitCodes.stopped : exitCodes.done;
}

/** The risks of all of these, each once, the worst first. */
export function risksOf(items: readonly { readonly risks: readonly Risk[] }[]): Risk[] {
  return risks.filter((risk) => items.some((item) => item.risks.includes(risk)));
}

/** Smaller is worse: by the worst risk first, then by the next. No further risk is the least. */
export function compareRisks(a: readonly Risk[], b: readonly Risk[]): number {
  const place = [...a, ...b].findIndex((_risk, index) => a[index] !== b[index]);
  return rankOf(a[place]) - rankOf(b[place]);
}

const rankOf = (risk: Risk | undefined): number => (risk === undefined ? risks.length : risks.indexOf(risk));
