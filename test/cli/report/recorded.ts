/** What the real CLI printed (tools/record-previews.mjs), and changes to it that a test is about. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe as describePreview, type Report } from "../../../src/cli/report/describe";
import { readPreview } from "../../../src/cli/report/read";

export function recordingFile(name: string): string {
  return join(__dirname, "previews", name);
}

export function recording(name: string): string {
  return readFileSync(recordingFile(name), "utf8");
}

export async function reportOf(text: string): Promise<Report> {
  return describePreview(readPreview(text));
}

/** Each change on a line, behind its risks in brackets. */
export function told({ changes }: Report): string[] {
  return changes.map(({ risks, text }) => (risks.length > 0 ? `[${risks.join(", ")}] ${text}` : text));
}

export type Values = Record<string, unknown>;

export interface State {
  type: string;
  inputs: Values;
  outputs: Values;
  parent?: string;
  retainOnDelete?: boolean;
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
  return JSON.parse(recording(name)) as Digest;
}

/** The step of the resource with this name in the program, with both states. */
export function stepOf({ steps }: Digest, name: string): DigestStep & { oldState: State; newState: State } {
  const step = steps.find(({ urn }) => urn.endsWith(`::${name}`));
  if (step?.oldState === undefined || step.newState === undefined) throw new Error(`no update of ${name} was recorded`);
  return step as DigestStep & { oldState: State; newState: State };
}

/** The one sentence about a resource of the recorded edit, after its step was changed. */
export async function sentence(
  name: string,
  edit: (step: { oldState: State; newState: State }) => void,
): Promise<string> {
  const edited = digest("edited.digest");
  const step = stepOf(edited, name);
  edit(step);
  edited.steps = [step];
  return told(await reportOf(JSON.stringify(edited))).join("\n");
}
