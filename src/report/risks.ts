/** The risks of a change, and the exit codes that pipelines get for them. */
/** The worst first, in every list. */
export const risks = [
  "sends the token elsewhere",
  "deletes data",
  "cuts a trunk",
  "rotates a secret",
  "forgets a secret",
  "narrows access",
  "widens access",
  "weakens a guard",
  "leaves things behind",
] as const;
export type Risk = (typeof risks)[number];

export const exitCodes = { nothing: 0, failed: 1, changes: 2, risks: 3 } as const;

export interface FailOn {
  /** Whether a change without a risk has an exit code of its own. */
  readonly changes: boolean;
  /** Whether a change that is not due by date alone counts as a risk: for runs without approval. */
  readonly edits: boolean;
  readonly risks: ReadonlySet<Risk>;
}

/** Without `--fail-on`, every outcome has its own exit code. */
export const failOnChanges: FailOn = { changes: true, edits: false, risks: new Set(risks) };

/** The parts of a report that decide the exit code. */
export interface ReportFacts {
  readonly complete: boolean;
  readonly changeCount: number;
  readonly editCount: number;
  /** Resources that the preview does not show. They may have edits. */
  readonly unseenCount: number;
  readonly risks: readonly Risk[];
}

/** A failed preview always fails: its steps may be incomplete. */
export function exitCodeOf(facts: ReportFacts, failOn: FailOn): number {
  const { complete, changeCount, editCount, unseenCount, risks: found } = facts;
  if (!complete) return exitCodes.failed;
  if (failOn.edits && editCount + unseenCount > 0) return exitCodes.risks;
  if (found.some((risk) => failOn.risks.has(risk))) return exitCodes.risks;
  return failOn.changes && changeCount > 0 ? exitCodes.changes : exitCodes.nothing;
}

/** The risks of all of these, each once, the worst first. */
export function risksOf(items: readonly { readonly risks: readonly Risk[] }[]): Risk[] {
  return risks.filter((risk) => items.some((item) => item.risks.includes(risk)));
}

/** Smaller is worse: by the worst risk first, then by the next. */
export function compareRisks(a: readonly Risk[], b: readonly Risk[]): number {
  const [left, right] = [ranksOf(a), ranksOf(b)];
  const place = left.findIndex((rank, index) => rank !== right[index]);
  return (left[place] ?? risks.length) - (right[place] ?? risks.length);
}

/** The last rank makes the longer of two lists worse if it starts with the other one. */
function ranksOf(found: readonly Risk[]): number[] {
  return [...found.map((risk) => risks.indexOf(risk)), risks.length];
}
