/**
 * The events that the Pulumi CLI prints: `pulumi up --json`, or a preview with PULUMI_ENABLE_STREAMING_JSON_PREVIEW. They have no
 * version, so unknown input is refused: a report must not leave out a step.
 */
import { z } from "zod";
import { isObject, parseJson } from "../../values/any.js";

/** A map that is missing is read as an empty one. */
const values = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((found) => found ?? {});
export const optionsSchema = z.object({
  protect: z.boolean().optional(),
  ignoreChanges: z.array(z.string()).optional(),
  replaceOnChanges: z.array(z.string()).optional(),
  customTimeouts: z.record(z.string(), z.unknown()).optional(),
  deletedWith: z.string().optional(),
});
const stateSchema = optionsSchema.extend({
  type: z.string(),
  id: z.string().optional(),
  custom: z.boolean().default(false),
  parent: z.string().default(""),
  provider: z.string().default(""),
  inputs: values,
  outputs: values,
  retainOnDelete: z.boolean().default(false),
});
const metadataSchema = z.object({
  op: z.string(),
  urn: z.string(),
  diffs: z.array(z.string()).nullish(),
  old: stateSchema.nullish(),
  new: stateSchema.nullish(),
});
const stepSchema = z.object({ metadata: metadataSchema });
const diagnosticSchema = z.object({ urn: z.string().optional(), message: z.string().optional(), severity: z.string() });
const policySchema = z.object({
  resourceUrn: z.string().optional(),
  policyName: z.string(),
  message: z.string().optional(),
  enforcementLevel: z.string(),
});
const summarySchema = z.object({
  isPreview: z.boolean(),
  result: z.string().optional(),
  resourceChanges: z.record(z.string(), z.number()),
});

/** Members that are not listed stay in the event. */
const eventSchema = z.looseObject({
  sequence: z.number(),
  preludeEvent: z.object({ config: values }).optional(),
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

/** Members of events that report no failure, and that no code here reads. */
const harmlessMembers =
  "timestamp stdoutEvent cancelEvent policyRemediationEvent policyLoadEvent policyAnalyzeSummaryEvent " +
  "policyRemediateSummaryEvent policyAnalyzeStackSummaryEvent startDebuggingEvent progressEvent";

const knownMembers = new Set([...harmlessMembers.split(" "), ...Object.keys(eventSchema.shape)]);

/** Whether this version knows all of the event. An unknown event may report a failure. */
export const isKnownEvent = (event: EngineEvent): boolean => Object.keys(event).every((key) => knownMembers.has(key));

/** The input is not from the Pulumi CLI. The message is one line, and repeats nothing of the input. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

const howToGetEvents =
  "pass the output of `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json`, or of `pulumi up --json`";

export function unsupportedFormat(what: string): OutputError {
  return new OutputError(
    `the input has events in a format that this version of voiceplane does not support: ${what}; ${howToGetEvents}`,
  );
}

/**
 * The events of one preview or update.
 *
 * @param onUnknown called for each line that is no event of this version. Default: it is refused
 * @throws OutputError
 */
export function readEvents(text: string, onUnknown?: () => void): EngineEvent[] {
  const refused = (error: OutputError): [] => {
    if (!onUnknown) throw error;
    onUnknown();
    return [];
  };
  // `pulumi up --json` may print its preview as one document before its events.
  const documents = parse(text.replace(/^\uFEFF/, "").replace(/^\{\n[^]*?\n\}\n(?=\{"sequence")/, ""), refused);
  // `pulumi up` prints the events of its preview before its own, and each list begins with a prelude: the last list counts.
  const first = documents.findLastIndex((document) => "preludeEvent" in document);
  return documents.slice(Math.max(first, 0)).flatMap((document) => {
    const parsed = eventSchema.safeParse(document);
    if (parsed.success) return [parsed.data];
    // The first two keys of the path are of the format, and contain no secret.
    const path = parsed.error.issues[0]?.path.slice(0, 2).join(".");
    return refused(unsupportedFormat(`${path} is not valid in an event`));
  });
}

function parse(text: string, refused: (error: OutputError) => []): object[] {
  if (text.trim() === "") throw new OutputError(`the input is empty: ${howToGetEvents}`);
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const document = parseJson(line);
    if (isObject(document) && "sequence" in document) return [document];
    return refused(new OutputError(`the input is not a list of events (line ${index + 1}): ${howToGetEvents}`));
  });
}
