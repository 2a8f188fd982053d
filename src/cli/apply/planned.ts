/** How a run ends after its preview: a dry run, and a run that `failOn` may refuse. */
import { staleText, type StaleOutput } from "../engine/outputs.js";
import { saysWhatToCorrect } from "../report/errors.js";
import { format } from "../report/formats.js";
import { exitCodeOf, type FailOn } from "../report/risks.js";
import type { Commands, Described } from "./commands.js";
import type { ApplyOptions, PlannedChange } from "./options.js";
import type { Ending } from "./result.js";

export interface Planned {
  /** Of a run that ends here. */
  readonly ending: Ending;
  /** Undefined if no update may follow. */
  readonly changes: readonly PlannedChange[] | undefined;
}

interface Wanted extends Pick<ApplyOptions, "reportFormat"> {
  /** Why the stack is run. */
  readonly reason: string;
  /** Of the record: no command has read the state since. */
  readonly nextDueDate: string | null;
  readonly failOn: FailOn | undefined;
}

/** @param stale outputs that an update would register again */
export function planned(
  preview: Described,
  stale: readonly StaleOutput[],
  commands: Commands,
  { reason, nextDueDate, failOn, reportFormat = "terminal" }: Wanted,
): Planned {
  const { finished, report } = preview;
  const unknown = { uncertain: null, nextDueDate };
  if (finished.code !== 0 || report?.kind !== "preview" || !report.complete) {
    const ending = {
      outcome: "failed" as const,
      reason: commands.failure(preview, "the preview cannot be read as a whole"),
      needsPerson: saysWhatToCorrect(report?.errors ?? []),
      log: commands.keepLog(preview),
      ...unknown,
    };
    return { ending, changes: undefined };
  }
  const { summary, risks, changeCount, changes } = report;
  const shown = {
    summary,
    risks,
    report: format(report, reportFormat),
    ...unknown,
    staleOutputs: stale.map(({ output }) => output),
  };
  if (failOn === undefined || exitCodeOf(report, failOn) === 0) {
    const outcome = changeCount > 0 ? "previewed" : "unchanged";
    return { ending: { outcome, reason: [reason, ...stale.map(staleText)].join("; "), ...shown }, changes };
  }
  const labels = risks.filter((risk) => failOn.risks.has(risk)).join(", ");
  const refusal = `the preview shows changes that --fail-on refuses${labels === "" ? "" : `: ${labels}`}`;
  return { ending: { outcome: "failed", reason: refusal, needsPerson: true, ...shown }, changes: undefined };
}
