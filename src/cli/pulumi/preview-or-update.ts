/** Reads what the Pulumi CLI printed of a preview or an update: its steps, and how it ended. */
import { isKnownEvent, readEvents, type EngineDiagnostic, type EngineEvent, type PolicyEvent } from "./events.js";
import { hasKnownSteps, requireSteps, stepsOf, type Step } from "./steps.js";

export interface EngineProblem {
  /** Empty if the problem is not about one resource. */
  readonly urn: string;
  readonly message: string;
}

/** A violation of a mandatory policy. The message is the policy's own text: it may have several lines, and any value. */
interface Violation extends EngineProblem {
  readonly policy: string;
}

/** What an update would do, or what it did. */
export interface PreviewOrUpdate {
  readonly phase: "preview" | "update";
  readonly steps: readonly Step[];
  readonly errors: readonly EngineProblem[];
  readonly warnings: readonly EngineProblem[];
  readonly violations: readonly Violation[];
  /** Whether it succeeded. Otherwise steps may be missing. */
  readonly complete: boolean;
  /** Of an update that ran: how many of its lines this version does not know. Where it was killed, the last line may be cut. */
  readonly unknownEvents?: number;
  /** The stack's `voiceplane:organizationFile`, if set. */
  readonly organizationFile: string | undefined;
}

/** @throws OutputError for anything that this version does not know */
export function readPreview(text: string): PreviewOrUpdate {
  const events = readEvents(text);
  const { summaryEvent } = events.findLast((event) => event.summaryEvent) ?? {};
  const hasGoodEnd = summaryEvent?.result === "succeeded" && events.every(isKnownEvent);
  const run = runOf(events, "preview", hasGoodEnd);
  requireSteps(run.steps, summaryEvent?.resourceChanges ?? {});
  return { ...run, complete: run.errors.length === 0 && hasGoodEnd };
}

/** An update that ran: what this version does not know of it is counted, and left out. @param complete whether all was done: its exit code was 0 */
export function readUpdate(text: string, complete: boolean): PreviewOrUpdate {
  let unknownEvents = 0;
  const events = readEvents(text, () => unknownEvents++).filter((event) => {
    const isRead = hasKnownSteps(event);
    if (!isRead || !isKnownEvent(event)) unknownEvents++;
    return isRead;
  });
  return { ...runOf(events, "update", complete), complete, unknownEvents };
}

function runOf(events: readonly EngineEvent[], phase: PreviewOrUpdate["phase"], hasGoodEnd: boolean) {
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const config = events.find(({ preludeEvent }) => preludeEvent)?.preludeEvent?.config;
  const organizationFile = config?.["voiceplane:organizationFile"];
  return {
    phase,
    steps: stepsOf(events, phase === "update", hasGoodEnd),
    errors: errorsOf(diagnostics, !hasGoodEnd),
    warnings: diagnostics.filter(isWarning).map(({ urn, message }) => ({ urn, message })),
    violations: violationsOf(events.flatMap(({ policyEvent }) => policyEvent ?? [])),
    organizationFile: typeof organizationFile === "string" ? organizationFile : undefined,
  };
}

const harmlessSeverities = new Set(["debug", "info", "info#err", "warning"]);

/** The dynamic provider prints its warnings, and the engine does not know them as such. */
const isWarning = ({ severity, message }: EngineDiagnostic): boolean =>
  severity === "warning" || (severity === "info#err" && message.startsWith("warning: voiceplane: "));

/**
 * "info#err" is what a program or provider writes to standard error. A program in YAML writes its errors there, so it counts if the run
 * failed and reports no other error.
 */
function errorsOf(diagnostics: readonly EngineDiagnostic[], hasFailed: boolean): EngineProblem[] {
  const errors = diagnostics.filter(({ severity }) => !harmlessSeverities.has(severity));
  if (errors.length > 0 || !hasFailed) return errors.map(({ urn, message }) => ({ urn, message }));
  // A line that begins with "voiceplane:" is of the dynamic provider, and is not an error.
  const printed = diagnostics.filter(
    ({ severity, message }) => severity === "info#err" && !/^(?:warning: )?voiceplane: /.test(message),
  );
  const byUrn = Map.groupBy(printed, ({ urn }) => urn);
  return [...byUrn].map(([urn, lines]) => ({ urn, message: lines.map(({ message }) => message).join("") }));
}

const violationsOf = (events: readonly PolicyEvent[]): Violation[] =>
  events
    .filter(({ enforcementLevel }) => enforcementLevel === "mandatory")
    .map(({ resourceUrn: urn, policyName: policy, message }) => ({ policy, urn, message }));
