/**
 * The events of a preview, which the Pulumi CLI prints with PULUMI_ENABLE_STREAMING_JSON_PREVIEW. They have no version: an unknown kind of event is
 * counted, and an event that cannot be read fails the preview, because a report must not leave out a step.
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
  old: stateSchema.nullish(),
  new: stateSchema.nullish(),
});
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
  resourcePreEvent: z.object({ metadata: metadataSchema }).optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  policyEvent: policySchema.optional(),
  summaryEvent: summarySchema.optional(),
});

export type EngineEvent = z.infer<typeof eventSchema>;
export type EventState = z.infer<typeof stateSchema>;
export type StepMetadata = z.infer<typeof metadataSchema>;
export type EngineDiagnostic = z.infer<typeof diagnosticSchema>;

const knownMembers = new Set([
  ...Object.keys(eventSchema.shape),
  // No code here reads these.
  ...["timestamp", "stdoutEvent", "cancelEvent", "startDebuggingEvent", "progressEvent"],
  ...["resOutputsEvent", "resOpFailedEvent", "policyLoadEvent", "policyRemediationEvent"],
  ...["policyAnalyzeSummaryEvent", "policyAnalyzeStackSummaryEvent", "policyRemediateSummaryEvent"],
]);

export const isKnownEvent = (event: EngineEvent): boolean => Object.keys(event).every((key) => knownMembers.has(key));

/** The events among what was printed, such as the lines about a download before them, and whether each of them could be read. */
export function readEvents(text: string): { readonly events: EngineEvent[]; readonly isRead: boolean } {
  const documents = text.split("\n").map(parseJson);
  const read = documents
    .filter((document) => isObject(document) && "sequence" in document)
    .map((document) => eventSchema.safeParse(document));
  return { events: read.flatMap(({ data }) => data ?? []), isRead: read.every(({ success }) => success) };
}
