/** Whether a run can change anything. */
import { isoDate } from "../resources/schedule.js";
import type { Inputs } from "./inputs.js";
import type { RunRecord } from "./record.js";

export interface SkipFacts {
  readonly inputs: Omit<Inputs, "stamp">;
  readonly record: RunRecord | undefined;
  /** Undefined if the backend cannot tell. */
  readonly stateVersion: string | undefined;
  readonly now: Date;
  readonly fullPassAfterDays: number;
}

const dayMs = 86_400_000;

/** Why the stack has to be run; undefined if nothing can have changed since the last run. */
export function reasonToRun({ inputs, record, stateVersion, now, fullPassAfterDays }: SkipFacts): string | undefined {
  if (record === undefined) return "there is no record of an earlier run";
  if (record.run) return "the last run did not end";
  if (record.open !== null) return record.open;
  if (inputs.unknown !== undefined) return inputs.unknown;
  const changed = changedInputs(record.inputs, inputs.digests);
  if (changed.length > 0) return `changed since the last run: ${changed.join(", ")}`;
  if (stateVersion === undefined) return "the version of the state is not known";
  if (stateVersion !== record.stateVersion) return "the state changed since the last run";
  if (record.nextDueDate !== null && record.nextDueDate <= isoDate(now)) return `due since ${record.nextDueDate}`;
  const age = now.getTime() - record.at;
  if (age < 0) return "by this machine's clock, the last run is in the future";
  // Written so that a number of days that is none runs the stack.
  return age < fullPassAfterDays * dayMs ? undefined : `the last run was ${Math.floor(age / dayMs)} days ago`;
}

/** The names of inputs that are new, gone or different. */
export function changedInputs(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}
