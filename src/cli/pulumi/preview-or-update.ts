/**
 * Reads the events of the Pulumi CLI: of `pulumi up --json`, or of a preview with PULUMI_ENABLE_STREAMING_JSON_PREVIEW. They have no
 * version, so unknown input is refused: a report must not leave out a step.
 */
import { isObject, parseJson } from "../../values/any.js";
import { withoutSecrets } from "../../values/engine.js";
import { z } from "zod";
import type { Values } from "../../values/any.js";

/** What a step does to a row of the state. A replacement is one step here, and up to three in the engine. */
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
  /** Other options, if set. */
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

/** A violated mandatory policy of a policy pack. */
export interface Violation {
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
  /** The messages of warnings. */
  readonly warnings: readonly string[];
  readonly violations: readonly Violation[];
  /** Whether it succeeded. Otherwise steps may be missing. */
  readonly complete: boolean;
  /** The stack's `voiceplane:organizationFile`, if set. */
  readonly organizationFile: string | undefined;
}

/** The input is not from the Pulumi CLI. The message is one line and contains nothing of the input. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/**
 * @param kind if it is known: the events of an update that was killed do not say it
 * @throws OutputError
 */
export function readPreviewOrUpdate(text: string, kind?: PreviewOrUpdate["kind"]): PreviewOrUpdate {
  // `pulumi up --json` may print its preview as one document before its events.
  const documents = parse(text.replace(/^\uFEFF/, "").replace(/^\{\n[^]*?\n\}\n(?=\{"sequence")/, ""));
  // `pulumi up` prints its preview before its own events: the last ones count.
  const first = documents.findLastIndex((document) => "preludeEvent" in document);
  return readEvents(documents.slice(Math.max(first, 0)), kind);
}

const known = {
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
} as const satisfies Record<string, Op | undefined>;

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
const stepSchema = z.object({ op: z.string(), urn: z.string() });
const eventStep = stepSchema.extend({ old: stateSchema.nullish(), new: stateSchema.nullish() });
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
  resourcePreEvent: z.object({ metadata: eventStep }).optional(),
  resOutputsEvent: z.object({ metadata: eventStep }).optional(),
  resOpFailedEvent: z.object({ metadata: eventStep }).optional(),
  diagnosticEvent: diagnostic.optional(),
  policyEvent: policy.optional(),
  summaryEvent: z.object({ isPreview: z.boolean(), result: z.string().optional(), resourceChanges: counts }).optional(),
});

/** Events that say nothing of a failure. One that is neither here nor read may say anything. */
const harmlessEvents =
  "timestamp stdoutEvent cancelEvent policyRemediationEvent policyLoadEvent policyAnalyzeSummaryEvent " +
  "policyRemediateSummaryEvent policyAnalyzeStackSummaryEvent startDebuggingEvent progressEvent";

const knownEvents = new Set([...harmlessEvents.split(" "), ...Object.keys(eventSchema.shape)]);

function readEvents(documents: readonly object[], given?: PreviewOrUpdate["kind"]): PreviewOrUpdate {
  const events = documents.map((document) => {
    const parsed = eventSchema.safeParse(document);
    // Only keys of the format.
    if (!parsed.success)
      throw unknownFormat(`${parsed.error.issues[0]?.path.slice(0, 2).join(".")} is not valid in an event`);
    return parsed.data;
  });
  const summary = events.findLast(({ summaryEvent }) => summaryEvent)?.summaryEvent;
  const kind = given ?? ((summary?.isPreview ?? true) ? "preview" : "update");
  const steps = events.flatMap(({ resourcePreEvent }) => {
    if (!resourcePreEvent) return [];
    const { metadata } = resourcePreEvent;
    const { old, new: fresh, ...step } = metadata;
    const states = [stateOf(old, old?.custom ?? false), stateOf(fresh, fresh?.custom ?? false)] as const;
    return [{ row: rowOf(metadata), step: stepOf(step, ...states) }];
  });
  const hasGoodEnd = summary?.result === "succeeded" && documents.every(isKnownEvent);
  const errors = errorsOf(
    events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []),
    !hasGoodEnd,
  );
  const complete = errors.length === 0 && hasGoodEnd;
  const failed = new Set(events.flatMap(({ resOpFailedEvent }) => rowsOf(resOpFailedEvent)));
  const ended = new Set(events.flatMap(({ resOutputsEvent }) => rowsOf(resOutputsEvent)));
  const isUnfinished = (row: string) => kind === "update" && (failed.has(row) || (!complete && !ended.has(row)));
  const results = new Map(
    events.flatMap(({ resOutputsEvent: { metadata } = {} }) =>
      kind === "update" && metadata?.op === "update" ? [[metadata.urn, metadata.new?.outputs ?? undefined]] : [],
    ),
  );
  const shown = merged(
    steps.map(({ row, step }) => ({
      row,
      step: { ...step, unfinished: isUnfinished(row), result: results.get(step.urn) },
    })),
  );
  if (hasChanges(summary?.resourceChanges ?? {}) && !shown.some(({ op }) => op !== undefined))
    throw unknownFormat("it counts changes, but has no steps for them");
  return {
    kind,
    steps: shown,
    errors,
    warnings: events.flatMap(({ diagnosticEvent: { severity, message = "" } = { severity: "" } }) =>
      severity === "warning" ? [message] : [],
    ),
    violations: violationsOf(events.flatMap(({ policyEvent }) => policyEvent ?? [])),
    complete,
    organizationFile: organizationFileIn(events.find(({ preludeEvent }) => preludeEvent)?.preludeEvent?.config),
  };
}

type EventStep = z.infer<typeof eventStep>;

/** Which row of the state an event is about: a URN may have several. */
const rowOf = ({ urn, old }: EventStep): string => JSON.stringify([urn, old?.id, old?.outputs]);

const rowsOf = (event: { readonly metadata: EventStep } | undefined): string[] =>
  event ? [rowOf(event.metadata)] : [];

function organizationFileIn(config: z.infer<typeof values>): string | undefined {
  const name = config?.["voiceplane:organizationFile"];
  return typeof name === "string" ? name : undefined;
}

type RawState = z.infer<typeof stateSchema> | null | undefined;

function stepOf(
  { op, urn }: z.infer<typeof stepSchema>,
  before: ResourceState | undefined,
  after: ResourceState | undefined,
): Step {
  if (!isKnown(op)) throw unknownFormat("a step has an operation that is not known");
  const type = (after ?? before)?.type;
  if (type === undefined) throw unknownFormat("a step has neither an old nor a new state");
  return { op: known[op], same: op === "same", urn, type, before, after, unfinished: false };
}

function stateOf(state: RawState, custom: boolean): ResourceState | undefined {
  if (!state) return undefined;
  return {
    type: state.type,
    custom,
    parent: state.parent ?? "",
    provider: state.provider ?? "",
    inputs: withoutSecrets(state.inputs ?? {}),
    outputs: withoutSecrets(state.outputs ?? {}),
    retainOnDelete: state.retainOnDelete ?? false,
    options: optionsSchema.parse(state),
  };
}

function isKnown(op: string): op is keyof typeof known {
  return Object.hasOwn(known, op);
}

/**
 * One step for each operation of a row: one URN may have more rows, which are left to be deleted. The parts of a replacement are left out.
 */
function merged(steps: readonly { readonly step: Step; readonly row: string }[]): Step[] {
  const replaced = new Set(steps.flatMap(({ step: { op }, row }) => (op === "replace" ? [row] : [])));
  const byKey = new Map<string | number, Step>();
  for (const [index, { step, row }] of steps.entries()) {
    const { op, same, urn } = step;
    // Once: two rows may look the same.
    const isPart = op === "delete" && replaced.delete(row);
    const key = op === "delete" ? index : `${op ?? (same ? "same" : "nothing")} ${urn}`;
    if (!isPart) byKey.set(key, step);
  }
  return [...byKey.values()];
}

const harmless = new Set(["debug", "info", "info#err", "warning"]);

/** "info#err" is what a program or provider writes to standard error. A program in YAML has its errors there: they count if the run failed. */
function errorsOf(diagnostics: readonly z.infer<typeof diagnostic>[], hasFailed: boolean): EngineProblem[] {
  const errors = diagnostics.filter(({ severity }) => !harmless.has(severity));
  if (errors.length > 0 || !hasFailed) return errors.map(({ urn = "", message = "" }) => ({ urn, message }));
  const printed = diagnostics.filter(({ severity, message = "" }) => severity === "info#err" && !isOwnLine(message));
  const byUrn = Map.groupBy(printed, ({ urn = "" }) => urn);
  return [...byUrn].map(([urn, lines]) => ({ urn, message: lines.map(({ message = "" }) => message).join("") }));
}

/** The dynamic provider's messages. */
const isOwnLine = (message: string): boolean => /^(?:warning: )?voiceplane: /.test(message);

function violationsOf(violations: readonly z.infer<typeof policy>[]): Violation[] {
  return violations
    .filter(({ enforcementLevel }) => enforcementLevel === "mandatory")
    .map(({ resourceUrn: urn = "", policyName: policy, message = "" }) => ({ policy, urn, message }));
}

function hasChanges(changes: Readonly<Record<string, number>>): boolean {
  return Object.entries(changes).some(([op, count]) => count > 0 && isKnown(op) && known[op] !== undefined);
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
