/** Whether a run can be skipped. The caller names the revision of what the run reads: nothing is inferred from files. */
import { createHash } from "node:crypto";
import { type Environment, isSecretVariable } from "../../values/environment.js";
import { isoDate } from "../../resources/schedule.js";
import type { ApplyOptions } from "./options.js";
import type { RunRecord } from "./record.js";

/**
 * A digest of the variables that the CLI, the program and the provider read, and of the options that choose policy packs. Of a secret
 * only whether it is set: another token or passphrase changes nothing that a run sends, and no trace of it is kept.
 */
export function variablesOf(
  env: Environment,
  backend: string,
  { policyPacks, policyPackConfigs }: Pick<ApplyOptions, "policyPacks" | "policyPackConfigs">,
): string {
  const values = Object.entries(env).flatMap(([name, value = ""]): [string, string][] => {
    if (value === "" || !/^(?:VOICEPLANE_|PULUMI_|TS_NODE_|NODE_OPTIONS$)/.test(name) || ignored.test(name)) return [];
    return [[name, isSecretVariable(name) ? "" : value]];
  });
  values.sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([values, backend, policyPacks, policyPackConfigs]);
  return createHash("sha256").update(text).digest("hex");
}

const ignored = /^(?:VOICEPLANE_(?:DEBUG|REQUEST_LOG)|PULUMI_(?:BACKEND_URL|HOME|CI_.+|SKIP_UPDATE_CHECK))$/;

export interface SkipFacts {
  readonly record: RunRecord | undefined;
  /** Whether an earlier run has a journal that no result has reported. */
  readonly hasJournals: boolean;
  readonly revision: string | undefined;
  readonly variables: string;
  /** Undefined if the backend has none. */
  readonly stateVersion: string | undefined;
  /** Whether the stack's configuration imports environments of Pulumi ESC. */
  readonly importsEnvironments: boolean;
  readonly now: Date;
  readonly fullPassAfterDays: number;
}

const dayMs = 86_400_000;

/** Why the stack has to be run; undefined if nothing can have changed since the last run. */
export const reasonToRun = (facts: SkipFacts): string | undefined => reasonByChange(facts) ?? reasonByDate(facts);

/** Why a run may send something that no date makes due. */
export function reasonByChange(facts: SkipFacts): string | undefined {
  const { record, revision, stateVersion } = facts;
  if (record === undefined) return "there is no record of an earlier run";
  if (record.run || facts.hasJournals) return "the last run did not end";
  if (record.open !== null) return record.open;
  if (revision === undefined) return "no --revision says what this run reads";
  if (record.revision !== revision) return `the revision was ${record.revision ?? "not given"}, and is ${revision}`;
  if (record.variables !== facts.variables) return "the environment or the options changed since the last run";
  if (facts.importsEnvironments) {
    return "the stack's configuration imports environments, which can change at any time";
  }
  if (stateVersion === undefined) return "the version of the state is not known";
  return stateVersion === record.stateVersion ? undefined : "the state changed since the last run";
}

function reasonByDate({ record, now, fullPassAfterDays }: SkipFacts): string | undefined {
  if (record === undefined) return undefined;
  if (record.nextDueDate !== null && record.nextDueDate <= isoDate(now)) return `due since ${record.nextDueDate}`;
  const age = now.getTime() - record.at;
  if (age < 0) return "by this machine's clock, the last run is in the future";
  // Written so that a number of days that is none runs the stack.
  return age < fullPassAfterDays * dayMs ? undefined : `the last run was ${Math.floor(age / dayMs)} days ago`;
}
