/** Reads what the Pulumi CLI printed of a preview: its steps, and how it ended. */
import { isKnownEvent, readEvents, type EngineDiagnostic, type EngineEvent } from "./events.js";
import { stepsOf, type Step } from "./steps.js";

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

/** What an update would do. */
export interface Preview {
  readonly steps: readonly Step[];
  readonly errors: readonly EngineMessage[];
  readonly warnings: readonly EngineMessage[];
  readonly violations: readonly Violation[];
  /** Whether it succeeded. Otherwise steps may be missing. */
  readonly complete: boolean;
  /** Why it did not, if no error of the run says it. */
  readonly reason?: string | undefined;
  /** How many of its events this version does not know. */
  readonly unknownEvents: number;
  /** The stack's `voiceplane:organizationFile`, if set. */
  readonly organizationFile: string | undefined;
}

/**
 * @param isDone whether the CLI's exit code was 0
 * @param error what the CLI printed on standard error
 */
export function readPreview(text: string, isDone: boolean, error = ""): Preview {
  const { events, ...ofEvents } = readEvents(text);
  const { steps, ...ofSteps } = stepsOf(events);
  const summary = events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const hasEnded = isDone && summary?.result === "succeeded";
  const found = errorsOf(diagnostics, hasEnded);
  const violations = violationsOf(events);
  const isSilent = !hasEnded && found.length + violations.length === 0;
  const errors = isSilent && !isDone && error !== "" ? [{ urn: "", message: error }] : found;
  const notEnded = isSilent && errors.length === 0 ? "Pulumi's preview did not end" : undefined;
  const reason = ofEvents.isRead && ofSteps.isRead ? notEnded : unsupported;
  const organizationFile = events.find(({ preludeEvent }) => preludeEvent)?.preludeEvent?.config[
    "voiceplane:organizationFile"
  ];
  return {
    steps,
    errors,
    warnings: diagnostics.filter(isWarning).map(({ urn, message }) => ({ urn, message })),
    violations,
    // An error counts, whatever the summary says.
    complete: hasEnded && reason === undefined && errors.length === 0,
    reason,
    unknownEvents: events.filter((event) => !isKnownEvent(event)).length,
    organizationFile: typeof organizationFile === "string" ? organizationFile : undefined,
  };
}

/** It repeats nothing of the events. */
const unsupported =
  "Pulumi printed events in a format that this version of voiceplane does not support: if this Pulumi is new, update voiceplane";

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

const violationsOf = (events: readonly EngineEvent[]): Violation[] =>
  events
    .flatMap(({ policyEvent }) => policyEvent ?? [])
    .filter(({ enforcementLevel }) => enforcementLevel === "mandatory")
    .map(({ resourceUrn: urn, policyName: policy, message }) => ({ policy, urn, message }));
