/**
 * Reads the events of the Pulumi CLI: of `pulumi up --json`, or of a preview with PULUMI_ENABLE_STREAMING_JSON_PREVIEW. They have no
 * version, so unknown input is refused: a report must not leave out a step.
 */
import { z } from "zod";
import { isObject, parseJson, type Values } from "../../values/any.js";
import { withoutSecrets } from "../../values/engine.js";

/** What a step does to a state. A replacement is one step here, and up to three in the engine. */
export type Op = "create" | "update" | "replace" | "delete" | "import";

export interface ResourceState {
  readonly type: string;
  /** False for a component and for the stack, which exist only in the engine. */
  readonly custom: boolean;
  /** URN of the parent, empty if there is none. */
  readonly parent: string;
  /** URN and id of the provider, empty if there is none. */
  readonly provider: string;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly retainOnDelete: boolean;
  /** The other options that are set. */
  readonly options: Values;
}

export interface Step {
  /** Undefined if the engine does nothing. */
  readonly op: Op | undefined;
  /** Whether the engine reports the resource as unchanged. It may still store new inputs. */
  readonly same: boolean;
  readonly urn: string;
  readonly type: string;
  readonly before: ResourceState | undefined;
  readonly after: ResourceState | undefined;
  /** Whether the step of an update failed or was interrupted. */
  readonly unfinished: boolean;
  /** The outputs that an update has given the resource; undefined in a preview. */
  readonly result?: Values | undefined;
}

export interface EngineProblem {
  /** Empty if the problem is not about one resource. */
  readonly urn: string;
  readonly message: string;
}

/** Of a mandatory policy of a policy pack. */
interface Violation {
  readonly policy: string;
  /** The policy's own text. It may have several lines, and any value. */
  readonly message: string;
  /** Empty if the violation is not about one resource. */
  readonly urn: string;
}

/** What an update would do, or what it did. */
export interface PreviewOrUpdate {
  readonly kind: "preview" | "update";
  readonly steps: readonly Step[];
  readonly errors: readonly EngineProblem[];
  readonly warnings: readonly string[];
  readonly violations: readonly Violation[];
  /** Whether it succeeded. Otherwise steps may be missing. */
  readonly complete: boolean;
  /** The stack's `voiceplane:organizationFile`, if set. */
  readonly organizationFile: string | undefined;
}

/** The input is not from the Pulumi CLI. The message is one line, and repeats nothing of the input. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/**
 * @param kind must be given for an update that was killed, because its events do not have it
 * @throws OutputError
 */
export function readPreviewOrUpdate(text: string, kind?: PreviewOrUpdate["kind"]): PreviewOrUpdate {
  // `pulumi up --json` may print its preview as one document before its events.
  const documents = parse(text.replace(/^\uFEFF/, "").replace(/^\{\n[^]*?\n\}\n(?=\{"sequence")/, ""));
  // `pulumi up` prints its preview before its own events: the last ones count.
  const first = documents.findLastIndex((document) => "preludeEvent" in document);
  return readEvents(documents.slice(Math.max(first, 0)), kind);
}

/** The engine's operations by name; undefined for those that change nothing on a server. */
const ops = new Map<string, Op | undefined>(
  Object.entries({
    same: undefined,
    create: "create",
    update: "update",
    delete: "delete",
    replace: "replace",
    "create-replacement": "replace",
    "delete-replaced": "delete",
    read: undefined,
    "read-replacement": undefined,
    refresh: undefined,
    discard: undefined,
    "discard-replaced": undefined,
    "remove-pending-replace": undefined,
    import: "import",
    "import-replacement": "replace",
    diff: undefined,
    "extend-parameterize": undefined,
  }),
);

const values = z.record(z.string(), z.unknown()).nullish();
const optionsSchema = z.object({
  protect: z.boolean().optional(),
  ignoreChanges: z.array(z.string()).optional(),
  replaceOnChanges: z.array(z.string()).optional(),
  customTimeouts: z.record(z.string(), z.unknown()).optional(),
  deletedWith: z.string().optional(),
});
const stateSchema = optionsSchema.extend({
  type: z.string(),
  id: z.string().optional(),
  custom: z.boolean().optional(),
  parent: z.string().optional(),
  provider: z.string().optional(),
  inputs: values,
  outputs: values,
  retainOnDelete: z.boolean().optional(),
});
const metadataSchema = z.object({
  op: z.string(),
  urn: z.string(),
  old: stateSchema.nullish(),
  new: stateSchema.nullish(),
});
const ofStep = z.object({ metadata: metadataSchema }).optional();
const diagnostic = z.object({ urn: z.string().optional(), message: z.string().optional(), severity: z.string() });
const policy = z.object({
  resourceUrn: z.string().optional(),
  policyName: z.string(),
  message: z.string().optional(),
  enforcementLevel: z.string(),
});
const counts = z.record(z.string(), z.number());

const eventSchema = z.object({
  sequence: z.number(),
  preludeEvent: z.object({ config: values }).optional(),
  resourcePreEvent: ofStep,
  resOutputsEvent: ofStep,
  resOpFailedEvent: ofStep,
  diagnosticEvent: diagnostic.optional(),
  policyEvent: policy.optional(),
  summaryEvent: z.object({ isPreview: z.boolean(), result: z.string().optional(), resourceChanges: counts }).optional(),
});

/** Events that report no failure. An event that is neither here nor read may report one. */
const harmlessEvents =
  "timestamp stdoutEvent cancelEvent policyRemediationEvent policyLoadEvent policyAnalyzeSummaryEvent " +
  "policyRemediateSummaryEvent policyAnalyzeStackSummaryEvent startDebuggingEvent progressEvent";

const knownEvents = new Set([...harmlessEvents.split(" "), ...Object.keys(eventSchema.shape)]);

function readEvents(documents: readonly object[], given?: PreviewOrUpdate["kind"]): PreviewOrUpdate {
  const events = documents.map((document) => {
    const parsed = eventSchema.safeParse(document);
    // The first two keys of the path are of the format, and contain no secret.
    if (!parsed.success)
      throw unknownFormat(`${parsed.error.issues[0]?.path.slice(0, 2).join(".")} is not valid in an event`);
    return parsed.data;
  });
  const summary = events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  const kind = given ?? ((summary?.isPreview ?? true) ? "preview" : "update");

  const hasGoodEnd = summary?.result === "succeeded" && documents.every(isKnownEvent);
  const errors = errorsOf(
    events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []),
    !hasGoodEnd,
  );
  const complete = errors.length === 0 && hasGoodEnd;
  const failed = new Set(events.flatMap(({ resOpFailedEvent: event }) => (event ? stateKey(event.metadata) : [])));
  const ended = new Set(events.flatMap(({ resOutputsEvent: event }) => (event ? stateKey(event.metadata) : [])));
  const isUnfinished = (key: string) => kind === "update" && (failed.has(key) || (!complete && !ended.has(key)));
  const results = new Map(
    events.flatMap(({ resOutputsEvent: { metadata } = {} }) =>
      kind === "update" && metadata?.op === "update" ? [[metadata.urn, metadata.new?.outputs ?? undefined]] : [],
    ),
  );
  const steps = events.flatMap(({ resourcePreEvent: event }) => {
    if (!event) return [];
    const step = stepOf(event.metadata);
    const key = stateKey(event.metadata);
    return [{ key, step: { ...step, unfinished: isUnfinished(key), result: results.get(step.urn) } }];
  });
  const shown = merged(steps);
  const counted = Object.entries(summary?.resourceChanges ?? {}).filter(([op, count]) => count > 0 && ops.get(op));
  if (counted.length > 0 && !shown.some(({ op }) => op !== undefined))
    throw unknownFormat("it counts changes, but has no steps for them");
  const config = events.find(({ preludeEvent }) => preludeEvent)?.preludeEvent?.config;
  const organizationFile = config?.["voiceplane:organizationFile"];
  return {
    kind,
    steps: shown,
    errors,
    warnings: events.flatMap(({ diagnosticEvent: { severity, message = "" } = { severity: "" } }) =>
      severity === "warning" ? [message] : [],
    ),
    violations: violationsOf(events.flatMap(({ policyEvent }) => policyEvent ?? [])),
    complete,
    organizationFile: typeof organizationFile === "string" ? organizationFile : undefined,
  };
}

type Metadata = z.infer<typeof metadataSchema>;

/** Identifies the state that an event is about: a URN may have several. */
const stateKey = ({ urn, old }: Metadata): string => JSON.stringify([urn, old?.id, old?.outputs]);

function stepOf({ op, urn, old, new: fresh }: Metadata): Omit<Step, "unfinished"> {
  if (!ops.has(op)) throw unknownFormat("a step has an operation that is not known");
  const [before, after] = [old, fresh].map((state) => state && stateOf(state));
  const type = (after ?? before)?.type;
  if (type === undefined) throw unknownFormat("a step has neither an old nor a new state");
  return { op: ops.get(op), same: op === "same", urn, type, before: before ?? undefined, after: after ?? undefined };
}

function stateOf(state: z.infer<typeof stateSchema>): ResourceState {
  return {
    type: state.type,
    custom: state.custom ?? false,
    parent: state.parent ?? "",
    provider: state.provider ?? "",
    inputs: withoutSecrets(state.inputs ?? {}),
    outputs: withoutSecrets(state.outputs ?? {}),
    retainOnDelete: state.retainOnDelete ?? false,
    options: optionsSchema.parse(state),
  };
}

/**
 * One step for each operation of a state. The parts of a replacement are left out. A URN may have several deletions, of states that earlier
 * replacements have left.
 */
function merged(steps: readonly { readonly step: Step; readonly key: string }[]): Step[] {
  const replaced = new Set(steps.flatMap(({ step: { op }, key }) => (op === "replace" ? [key] : [])));
  const merged = new Map<string | number, Step>();
  for (const [index, { step, key }] of steps.entries()) {
    const { op, same, urn } = step;
    // A replacement has one deletion. Another state with the same key is deleted by its own step.
    const isPart = op === "delete" && replaced.delete(key);
    if (!isPart) merged.set(op === "delete" ? index : `${op ?? (same ? "same" : "nothing")} ${urn}`, step);
  }
  return [...merged.values()];
}

const harmless = new Set(["debug", "info", "info#err", "warning"]);

/** "info#err" is what a program or provider writes to standard error. A program in YAML writes its errors there, so it counts if the run failed. */
function errorsOf(diagnostics: readonly z.infer<typeof diagnostic>[], hasFailed: boolean): EngineProblem[] {
  const errors = diagnostics.filter(({ severity }) => !harmless.has(severity));
  if (errors.length > 0 || !hasFailed) return errors.map(({ urn = "", message = "" }) => ({ urn, message }));
  // A line that begins with "voiceplane:" is of the dynamic provider, and is not an error.
  const printed = diagnostics.filter(
    ({ severity, message = "" }) => severity === "info#err" && !/^(?:warning: )?voiceplane: /.test(message),
  );
  const byUrn = Map.groupBy(printed, ({ urn = "" }) => urn);
  return [...byUrn].map(([urn, lines]) => ({ urn, message: lines.map(({ message = "" }) => message).join("") }));
}

function violationsOf(violations: readonly z.infer<typeof policy>[]): Violation[] {
  return violations
    .filter(({ enforcementLevel }) => enforcementLevel === "mandatory")
    .map(({ resourceUrn: urn = "", policyName: policy, message = "" }) => ({ policy, urn, message }));
}

function parse(text: string): object[] {
  if (text.trim() === "") throw new OutputError(`the input is empty: ${howToGetEvents}`);
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const document = parseJson(line);
    if (isObject(document) && "sequence" in document) return [document];
    throw new OutputError(`the input is not a list of events (line ${index + 1}): ${howToGetEvents}`);
  });
}

const isKnownEvent = (document: object): boolean => Object.keys(document).every((key) => knownEvents.has(key));

const howToGetEvents =
  "pass the output of `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json`, or of `pulumi up --json`";

function unknownFormat(what: string): OutputError {
  return new OutputError(
    `the input has events in a format that this version of voiceplane does not support: ${what}; ${howToGetEvents}`,
  );
}
