/** The preview of a dry run, and of a run that `failOn` may refuse. */
import { tried } from "../../values.js";
import { failureOf, keepLog } from "../engine/failure.js";
import { staleText, type StaleOutput } from "../engine/outputs.js";
import { readPreviewOrUpdate } from "../engine/preview-or-update.js";
import { describe, failuresIn } from "../report/describe.js";
import { saysWhatToCorrect } from "../report/errors.js";
import { format } from "../report/formats.js";
import { exitCodeOf } from "../report/risks.js";
import type { Commands } from "./commands.js";
import type { PlannedChange, RunFacts } from "./options.js";
import type { Ending } from "./result.js";

export interface Previewed {
  /** Of a run that ends here. */
  readonly ending: Ending;
  /** Undefined if no update may follow. */
  readonly changes: readonly PlannedChange[] | undefined;
}

/** @param stale outputs that an update would register again */
export async function previewed(
  facts: RunFacts,
  commands: Commands,
  stale: readonly StaleOutput[] = [],
): Promise<Previewed> {
  const { failOn, record, secrets, reportFormat = "terminal" } = facts;
  const finished = await commands.preview();
  const preview = tried(() => readPreviewOrUpdate(finished.stdout));
  const report = preview && (await describe(preview, { secrets, staleOutputs: stale }));
  // No command has read the state since.
  const unknown = { uncertain: null, nextDueDate: record?.nextDueDate ?? null };
  if (finished.code !== 0 || report?.kind !== "preview" || !report.complete) {
    const failures = failuresIn(report);
    const isUnread = finished.code === 0 && failures.length === 0;
    const why = isUnread ? "the preview cannot be read as a whole" : failureOf(finished, failures, facts);
    const ending = {
      outcome: "failed" as const,
      reason: facts.signal?.aborted === true ? "interrupted" : why,
      needsPerson: saysWhatToCorrect(report?.errors ?? []),
      log: keepLog(finished, facts),
      ...unknown,
    };
    return { ending, changes: undefined };
  }
  const { summary, risks, changeCount, changes } = report;
  const reason = [facts.reason, ...stale.map(staleText)].join("; ");
  const shown = {
    summary,
    risks,
    report: format(report, reportFormat),
    ...unknown,
    staleOutputs: stale.map(({ output }) => output),
  };
  if (failOn === undefined || exitCodeOf(report, failOn) === 0) {
    const outcome = changeCount > 0 ? "previewed" : "unchanged";
    return { ending: { outcome, reason, ...shown }, changes };
  }
  const labels = risks.filter((risk) => failOn.risks.has(risk)).join(", ");
  const refusal = `the preview shows changes that --fail-on refuses${labels === "" ? "" : `: ${labels}`}`;
  return { ending: { outcome: "failed", reason: refusal, needsPerson: true, ...shown }, changes: undefined };
}
