/**
 * The events that the Pulumi CLI prints: `pulumi up --json`, or a preview with PULUMI_ENABLE_STREAMING_JSON_PREVIEW. They have no
 * version, so unknown input is refused: a report must not leave out a step.
 */
import { z } from "zod";
import { isObject, parseJson } from "../../values/any.js";

/** The values of a state, in an event or an export. Missing ones are read as none. */
export const valuesSchema = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((found) => found ?? {});
const stateSchema = z.object({
  type: z.string(),
  id: z.string().optional(),
  custom: z.boolean().default(false),
  parent: z.string().default(""),
  provider: z.string().default(""),
  inputs: valuesSchema,
  outputs: valuesSchema,
  retainOnDelete: z.boolean().default(false),
  protect: z.boolean().optional(),
});
const metadataSchema = z.object({
  op: z.string(),
  urn: z.string(),
  diffs: z.array(z.string()).nullish(),
  old: stateSchema.nullish(),
  new: stateSchema.nullish(),
});
const stepSchema = z.object({ metadata: metadataSchema });
const diagnosticSchema = z.object({
  urn: z.string().default(""),
  message: z.string().default(""),
  severity: z.string(),
});
const policySchema = z.object({
  resourceUrn: z.string().default(""),
  policyName: z.string(),
  message: z.string().default(""),
  enforcementLevel: z.string(),
});
const summarySchema = z.object({
  result: z.string().optional(),
  resourceChanges: z.record(z.string(), z.number()),
});

/** Members that are not listed stay in the event, so that {@link isKnownEvent} sees them. */
const eventSchema = z.looseObject({
  sequence: z.number(),
  preludeEvent: z.object({ config: valuesSchema }).optional(),
  resourcePreEvent: stepSchema.optional(),
  resOutputsEvent: stepSchema.optional(),
  resOpFailedEvent: stepSchema.optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  policyEvent: policySchema.optional(),
  summaryEvent: summarySchema.optional(),
});

export type EngineEvent = z.infer<typeof eventSchema>;
export type EventState = z.infer<typeof stateSchema>;
export type StepMetadata = z.infer<typeof metadataSchema>;
export type EngineDiagnostic = z.infer<typeof diagnosticSchema>;
export type PolicyEvent = z.infer<typeof policySchema>;

const knownMembers = new Set([
  ...Object.keys(eventSchema.shape),
  // These report no failure, and no code here reads them.
  ...["timestamp", "stdoutEvent", "cancelEvent", "startDebuggingEvent", "progressEvent"],
  ...["policyLoadEvent", "policyRemediationEvent"],
  ...["policyAnalyzeSummaryEvent", "policyAnalyzeStackSummaryEvent", "policyRemediateSummaryEvent"],
]);

/** Whether this version knows all of the event. An unknown event may report a failure. */
export const isKnownEvent = (event: EngineEvent): boolean => Object.keys(event).every((key) => knownMembers.has(key));

/** What the CLI printed cannot be read. The message is one line, and repeats nothing of it. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

export function unsupportedFormat(what: string): OutputError {
  return new OutputError(
    `pulumi printed events in a format that this version of voiceplane does not support: ${what}; if this Pulumi is new, update voiceplane`,
  );
}

/** The events of one preview or update, and an error for each line that is no event of this version. */
export function readEvents(text: string): { readonly events: EngineEvent[]; readonly unreadable: OutputError[] } {
  const events: EngineEvent[] = [];
  const unreadable: OutputError[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const event = eventIn(line, index + 1);
    if (event instanceof OutputError) unreadable.push(event);
    else events.push(event);
  }
  return { events, unreadable };
}

function eventIn(line: string, number: number): EngineEvent | OutputError {
  const document = parseJson(line);
  if (!isObject(document) || !("sequence" in document))
    return new OutputError(`pulumi printed something other than events (line ${number}): run it by hand to see it`);
  const parsed = eventSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  // The first two keys of the path are of the format, and contain no secret.
  return unsupportedFormat(`${parsed.error.issues[0]?.path.slice(0, 2).join(".")} is not valid in an event`);
}
