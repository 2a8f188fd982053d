/** Recorded output of the real CLI (tools/record-previews.mjs), and helpers to edit it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe as describeRun, type Report, type ReportOptions } from "../../src/cli/report/report";
import { readPreview } from "../../src/cli/pulumi/preview";

export { unknown } from "./marks";

export function recordingFile(name: string): string {
  return join(__dirname, "../unit/cli/report/previews", name);
}

/** The events of a recording. */
export function recording(name: string): string {
  return name.endsWith(".digest") ? eventsOf(digest(name)) : readFileSync(recordingFile(name), "utf8");
}

export async function reportOf(input: string | Digest, outside?: ReportOptions): Promise<Report> {
  const text = typeof input === "string" ? input : eventsOf(input);
  return describeRun(readPreview(text, !text.includes('"result":"failed"')), outside);
}

/** The events of a preview that is recorded as one document, which has less text to read and to edit. */
export function eventsOf({ steps, diagnostics = [], changeSummary, config }: Digest): string {
  const hasFailed = diagnostics.some(({ severity }) => severity === "error");
  const summaryEvent = { isPreview: true, result: hasFailed ? "failed" : "succeeded", resourceChanges: changeSummary };
  return lines([
    { preludeEvent: { config } },
    ...steps.map((step) => stepEvent(step)),
    ...diagnostics.map((diagnosticEvent) => ({ diagnosticEvent })),
    { summaryEvent },
  ]);
}

function stepEvent({ oldState, newState, ...step }: DigestStep): object {
  const state = (of: State | undefined) => of && { ...of, custom: of.custom ?? true };
  return { resourcePreEvent: { metadata: { ...step, old: state(oldState), new: state(newState) } } };
}

const lines = (events: readonly object[]): string =>
  events.map((event, sequence) => `${JSON.stringify({ sequence, ...event })}\n`).join("");

/** One line per change, after its risks in brackets. */
export function changeLines({ changes }: Pick<Report, "changes">): string[] {
  return changes.map(({ risks, text }) => (risks.length > 0 ? `[${risks.join(", ")}] ${text}` : text));
}

export const linesOf = async (input: string | Digest): Promise<string[]> => changeLines(await reportOf(input));

export type Values = Record<string, unknown>;

export interface State {
  type: string;
  inputs: Values;
  outputs: Values;
  parent?: string;
  provider?: string;
  retainOnDelete?: boolean;
  protect?: boolean;
  ignoreChanges?: string[];
  custom?: boolean;
}

export interface DigestStep {
  op: string;
  urn: string;
  oldState?: State;
  newState?: State;
}

export interface Digest {
  steps: DigestStep[];
  diagnostics?: Values[];
  changeSummary: Record<string, number>;
  [member: string]: unknown;
}

export function digest(name: string): Digest {
  return JSON.parse(readFileSync(recordingFile(name), "utf8")) as Digest;
}

export type Declared = DigestStep & { oldState: State; newState: State };

/** The step of the resource with this name in the program, with both states. */
export function stepOf({ steps }: Digest, name: string): Declared {
  const step = steps.find(({ urn }) => urn.endsWith(`::${name}`));
  if (step?.oldState === undefined || step.newState === undefined) throw new Error(`no update of ${name} was recorded`);
  return step as Declared;
}

/** The steps of a resource that has another URN, such as by another name: for the engine it is a new one. */
export const madeAnew = ({ urn, oldState, newState }: Declared, to: string): DigestStep[] => [
  { op: "create", urn: to, newState },
  { op: "delete", urn, oldState },
];

/** Edits the recorded step of an unchanged resource. For the engine the step is then an "update". */
export function stepAfter(name: string, edit: (step: Declared) => void, op = "update"): Digest {
  const preview = digest("unchanged.digest");
  const step = stepOf(preview, name);
  step.op = op;
  edit(step);
  preview.steps = [step];
  preview.changeSummary = { [op]: 1 };
  return preview;
}

/** An edit: `from` is both declared and in the state, `to` is declared now. undefined removes a value. */
export function fromTo(from: Values, to: Values): (step: Declared) => void {
  return ({ oldState, newState }) => {
    oldState.inputs = without({ ...oldState.inputs, ...from });
    oldState.outputs = without({ ...oldState.outputs, ...from });
    newState.inputs = without({ ...newState.inputs, ...from, ...to });
  };
}

function without(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
