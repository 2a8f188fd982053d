/** Whether a run can change anything: what decides what it does, as digests, and what the last run left. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Environment } from "../values.js";
import { isSecretVariable } from "../client/secrets.js";
import { isoDate } from "../resources/schedule.js";
import { stateFolder, withoutPassword } from "../engine/backend.js";
import { digestOf, digestOfTree, installedCode, sha256, stampOf } from "../engine/digests.js";
import type { StackProject } from "../engine/project.js";
import type { RunRecord } from "./record.js";

export interface RunInputs {
  /** By a name for people, such as "organization.yaml". */
  readonly digests: Readonly<Record<string, string>>;
  /** Changes with each write to a file of the project, also if that sets it back to what it was. */
  readonly stamp: string;
  /** Why a run may depend on more than these. */
  readonly unknown?: string;
}

export interface InputOptions {
  readonly project: StackProject;
  readonly env: Environment;
  /** Files and folders that a program of one's own reads; undefined: not said. */
  readonly declared: readonly string[] | undefined;
  readonly policyPacks: readonly string[];
  readonly policyPackConfigs: readonly string[];
  /** Files that a run itself writes. */
  readonly ignored: readonly string[];
}

/** Never throws: a file that cannot be read has a digest of its own. */
export function readInputs(options: InputOptions): RunInputs {
  const { project, env, declared, policyPacks, policyPackConfigs } = options;
  const digests = new Map<string, string>();
  const stamps: string[] = [];
  const at = (path: string) => resolve(project.folder, path);
  const nameOf = (path: string) => {
    const name = relative(project.folder, path);
    return name.startsWith("..") ? path : name;
  };
  /** A file may be called like an installed package: then the digest is of both. */
  const add = (name: string, digest: string) => {
    const other = digests.get(name);
    digests.set(name, other === undefined ? digest : sha256(`${other} ${digest}`));
  };
  const locks = project.installFolders.flatMap((folder) => lockFiles.map((name) => join(folder, name)));
  for (const path of [...project.files, ...locks.filter((each) => existsSync(each))]) {
    add(nameOf(path), digestOf(path));
    stamps.push(stampOf(path));
  }
  const installed = installedCode(project, env);
  for (const [name, digest] of installed) add(name, digest);
  for (const pack of policyPacks) add(`policy pack ${nameOf(at(pack))}`, digestOfTree(at(pack), new Set()));
  // Each is of the pack at its place.
  for (const [index, config] of policyPackConfigs.entries()) {
    add(`configuration ${index + 1} of policy packs: ${nameOf(at(config))}`, digestOfTree(at(config), new Set()));
  }
  add("the environment", sha256(JSON.stringify(environmentOf(project, env))));
  if (project.isOwnCode && declared !== undefined) {
    const state = stateFolder(project.backendUrl, project.folder, env) ?? [];
    const ignored = new Set([...options.ignored, state].flat().map((path) => resolve(path)));
    for (const path of [project.folder, ...declared.map(at)]) {
      add(`${nameOf(path) || "the project's folder"} (all files)`, digestOfTree(path, ignored));
    }
  }
  const unknown = reasonsToRun(options, installed.length > 0).find((reason) => reason !== undefined);
  return {
    digests: Object.fromEntries(digests),
    stamp: sha256(stamps.join("\n")),
    ...(unknown !== undefined && { unknown }),
  };
}

/** Why a run may depend on more than its inputs. */
function reasonsToRun({ project, env, declared, policyPacks }: InputOptions, isInstalled: boolean) {
  const { isOwnCode, importsEnvironments, runtime, folder } = project;
  const missing = runtime === "nodejs" ? missingPackage : "the plugin pulumi-resource-voiceplane is not installed";
  const option = Object.keys(env).find((name) => name.startsWith("PULUMI_OPTION_"));
  const missingPack = policyPacks.find((pack) => !existsSync(resolve(folder, pack)));
  return [
    isOwnCode && declared === undefined ? (runtime === "yaml" ? otherYaml : otherCode) : undefined,
    importsEnvironments ? "the stack's configuration imports environments, which can change at any time" : undefined,
    isInstalled ? undefined : missing,
    option && `${option} is set, and an option of the CLI can name any file`,
    missingPack && `the policy pack ${missingPack} is not a folder on this machine`,
  ];
}

const otherCode = "the program is your own code, which can read anything: name what it reads with --inputs";
const otherYaml =
  "the YAML program has more than resources of voiceplane, and can read anything: name what it reads with --inputs";
const missingPackage = "pulumi-voiceplane is not installed in the program's folder";

const lockFiles = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"];

/**
 * The variables that the CLI, the program and the provider read. Of a secret only whether it is set: another token or passphrase
 * changes nothing that a run sends, and no trace of it is kept.
 */
function environmentOf({ backendUrl }: StackProject, env: Environment): [name: string, value: string][] {
  const values = Object.entries(env).flatMap(([name, value = ""]): [string, string][] => {
    if (value === "" || !/^(?:VOICEPLANE_|PULUMI_|TS_NODE_|NODE_OPTIONS$)/.test(name) || ignoredVariables.test(name))
      return [];
    return [[name, isSecretVariable(name) ? "" : value]];
  });
  values.push(["the backend", withoutPassword(backendUrl)]);
  return values.sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

const ignoredVariables = /^(?:VOICEPLANE_(?:DEBUG|REQUEST_LOG)|PULUMI_(?:BACKEND_URL|HOME|CI_.+|SKIP_UPDATE_CHECK))$/;

export interface SkipFacts {
  readonly inputs: Omit<RunInputs, "stamp">;
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
