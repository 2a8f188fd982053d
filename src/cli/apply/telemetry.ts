/** A run as a span and counters of OpenTelemetry, if the usual variables switch it on. */
import type { Environment } from "../../values/environment.js";
import { isTelemetryOn, telemetryFor, type Telemetry } from "../../provider/telemetry/index.js";
import type { ApplyResult } from "./result.js";

/** One for all runs of this process. */
let telemetry: Telemetry | undefined;

/** The CLI and its providers end with the run: totals would begin at 0 in each, and nothing could add them up. */
const temporality = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

/** @param work gets the environment of the CLI, by which its processes' spans belong to this one */
export async function withTelemetry(
  { organization, stack, env }: Readonly<{ organization: string; stack: string; env: Environment }>,
  work: (env: Environment) => Promise<ApplyResult>,
): Promise<ApplyResult> {
  if (!isTelemetryOn(env)) return work(env);
  const used = (telemetry ??= telemetryFor(env));
  if (used === undefined) return work(env);
  const names = { "voiceplane.organization": organization, "voiceplane.stack": stack };
  return used.span(
    "voiceplane apply",
    names,
    async () => work({ [temporality]: "delta", ...env, ...(await used.parentVariables()) }),
    (result) => {
      const { outcome, requests, rotations, uncertain, rotatedAgain, staleLocks } = result;
      const counted = { "voiceplane.organization": organization };
      used.count("voiceplane.runs", "Runs of apply.", 1, { ...counted, "voiceplane.outcome": outcome });
      used.count("voiceplane.rotated_again", "Rotations beyond those declared.", rotatedAgain.length, counted);
      used.count("voiceplane.stale_locks", "Stale locks that were removed.", staleLocks.length, counted);
      return {
        "voiceplane.outcome": outcome,
        "voiceplane.requests": requests,
        "voiceplane.rotations": rotations,
        "voiceplane.rotated_again": rotatedAgain.length,
        ...(uncertain !== null && { "voiceplane.uncertain": uncertain }),
        ...(outcome === "failed" && { "error.type": "failed" }),
      };
    },
  );
}

/** Makes the SDK send what it has collected. Needed only before the process ends. */
export async function flushTelemetry(): Promise<void> {
  await telemetry?.flush();
}
