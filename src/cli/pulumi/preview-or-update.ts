/** Reads what the Pulumi CLI printed of a preview or an update: its steps, and how it ended. */
import { isKnownEvent, readEvents, type EngineDiagnostic, type EngineEvent, type PolicyEvent } from "./events.js";
import { hasKnownSteps, requireSteps, stepsOf, type Step } from "./steps.js";

/** An error or a warning. */
export interface EngineMessage {
  /** Empty if it is not about one resource. */
  readonly urn: string;
  readonly message: string;
}

/** A violation of a mandatory policy. The message is the policy's own text: it may have several lines, and any value. */
interface Violation extends EngineMessage {
  readonly policy: string;
}

/** What an update would do, or what it did. */
export interface PreviewOrUpdate {
  readonly phase: "preview" | "update";
  readonly steps: readonly Step[];
  readonly errors: readonly EngineMessage[];
  readonly warnings: readonly EngineMessage[];
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
  const { events, unreadable } = readEvents(text);
  const [error] = unreadable;
  if (error) throw error;
  const summary = events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  const succeeded = summary?.result === "succeeded" && events.every(isKnownEvent);
  const run = runOf(events, "preview", succeeded);
  requireSteps(run.steps, summary?.resourceChanges ?? {});
  // An error counts, whatever the summary says.
  return { ...run, complete: succeeded && run.errors.length === 0 };
}

/**
 * An update that ran: what this version does not know of it is counted. An event whose step it cannot read is left out.
 *
 * @param succeeded whether its exit code was 0
 */
export function readUpdate(text: string, succeeded: boolean): PreviewOrUpdate {
  const { events, unreadable } = readEvents(text);
  const unknown = events.filter((event) => !isKnownEvent(event) || !hasKnownSteps(event));
  const run = runOf(events.filter(hasKnownSteps), "update", succeeded);
  return { ...run, complete: succeeded, unknownEvents: unreadable.length + unknown.length };
}

function runOf(events: readonly EngineEvent[], phase: PreviewOrUpdate["phase"], succeeded: boolean) {
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const config = events.find(({ preludeEvent }) => preludeEvent)?.preludeEvent?.config;
  const organizationFile = config?.["voiceplane:organizationFile"];
  return {
    phase,
    steps: stepsOf(events, phase === "update", succeeded),
    errors: errorsOf(diagnostics, succeeded),
    warnings: diagnostics.filter(isWarning).map(({ urn, message }) => ({ urn, message })),
    violations: violationsOf(events.flatMap(({ policyEvent }) => policyEvent ?? [])),
    organizationFile: typeof organizationFile === "string" ? organizationFile : undefined,
  };
}

const harmlessSeverities = new Set(["debug", "info", "info#err", "warning"]);

/** What the dynamic provider prints, because its protocol has no warnings: "voiceplane: …", and "warning: voiceplane: …" for a warning. */
const ownLine = /^(?<warning>warning: )?voiceplane: /;

const isWarning = ({ severity, message }: EngineDiagnostic): boolean =>
  severity === "warning" || (severity === "info#err" && ownLine.exec(message)?.groups?.warning !== undefined);

/**
 * "info#err" is what a program or provider writes to standard error. A program in YAML writes its errors there, so it counts if the run
 * failed and reports no other error.
 */
function errorsOf(diagnostics: readonly EngineDiagnostic[], succeeded: boolean): EngineMessage[] {
  const errors = diagnostics.filter(({ severity }) => !harmlessSeverities.has(severity));
  if (errors.length > 0 || succeeded) return errors.map(({ urn, message }) => ({ urn, message }));
  const printed = diagnostics.filter(({ severity, message }) => severity === "info#err" && !ownLine.test(message));
  const byUrn = Map.groupBy(printed, ({ urn }) => urn);
  return [...byUrn].map(([urn, lines]) => ({ urn, message: lines.map(({ message }) => message).join("") }));
}

const violationsOf = (events: readonly PolicyEvent[]): Violation[] =>
  events
    .filter(({ enforcementLevel }) => enforcementLevel === "mandatory")
    .map(({ resourceUrn: urn, policyName: policy, message }) => ({ policy, urn, message }));
