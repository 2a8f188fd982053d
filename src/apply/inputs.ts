/** Everything that decides what a run does, as digests: equal digests and an equal state give an equal run. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Environment } from "../values.js";
import { isSecretVariable } from "../client/secrets.js";
import { stateFolder, withoutPassword } from "../engine/backend.js";
import { findPackage } from "../engine/packages.js";
import { findPlugin } from "../engine/plugin.js";
import type { StackProject } from "../engine/project.js";

export interface Inputs {
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
export function readInputs(options: InputOptions): Inputs {
  const { project, env, declared, policyPacks } = options;
  const digests = new Digests();
  const nameOf = (path: string) => {
    const name = relative(project.folder, path);
    return name.startsWith("..") ? path : name;
  };
  const stamps: string[] = [];
  const add = (path: string) => {
    digests.set(nameOf(path), digestOf(path));
    stamps.push(stampOf(path));
  };
  for (const path of project.files) add(path);
  for (const name of lockFiles) for (const folder of project.installFolders) addIfThere(join(folder, name), add);
  const known =
    project.runtime === "nodejs" ? installedPackages(project, digests) : installedPlugin(project, env, digests);
  for (const pack of policyPacks) {
    const path = resolve(project.folder, pack);
    digests.set(`policy pack ${nameOf(path)}`, digestOfTree(path, new Set()));
  }
  // Each is of the pack at its place.
  for (const [index, config] of options.policyPackConfigs.entries()) {
    const path = resolve(project.folder, config);
    digests.set(`configuration ${index + 1} of policy packs: ${nameOf(path)}`, digestOfTree(path, new Set()));
  }
  digests.set("the environment", sha256(JSON.stringify(environmentOf(project, env))));
  if (project.isOwnCode && declared !== undefined) {
    const state = stateFolder(project.backendUrl, project.folder, env);
    const ignored = new Set([...options.ignored, ...(state === undefined ? [] : [state])].map((path) => resolve(path)));
    for (const path of [project.folder, ...declared.map((path) => resolve(project.folder, path))]) {
      digests.set(`${nameOf(path) || "the project's folder"} (all files)`, digestOfTree(path, ignored));
    }
  }
  const missingPack = policyPacks.find((pack) => !existsSync(resolve(project.folder, pack)));
  const option = Object.keys(env).find((name) => name.startsWith("PULUMI_OPTION_"));
  const unknown = [
    project.isOwnCode && declared === undefined ? ownCodeOf(project) : undefined,
    project.importsEnvironments
      ? "the stack's configuration imports environments, which can change any time"
      : undefined,
    known
      ? undefined
      : project.runtime === "nodejs"
        ? "pulumi-voiceplane is not installed in the program's folder"
        : "the plugin pulumi-resource-voiceplane is not installed",
    option === undefined ? undefined : `${option} is set, and an option of the CLI may name anything`,
    missingPack === undefined ? undefined : `the policy pack ${missingPack} is not a folder of this machine`,
  ].find((reason) => reason !== undefined);
  return {
    digests: Object.fromEntries(digests.all),
    stamp: sha256(stamps.join("\n")),
    ...(unknown !== undefined && { unknown }),
  };
}

const ownCodeOf = ({ runtime }: StackProject): string =>
  runtime === "yaml"
    ? "the YAML program has more than resources of voiceplane, which can read anything: say with --inputs what it reads"
    : "the program is code of its own, which can read anything: say with --inputs what it reads";

/** By name. A file may be called like an installed package: then the digest is of both. */
class Digests {
  readonly all = new Map<string, string>();

  set(name: string, digest: string): void {
    const other = this.all.get(name);
    this.all.set(name, other === undefined ? digest : sha256(`${other} ${digest}`));
  }
}

function addIfThere(path: string, add: (path: string) => void): void {
  if (existsSync(path)) add(path);
}

const lockFiles = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"];

/** The packages that decide what an organization file means. @returns false if this package is missing */
function installedPackages({ program }: StackProject, digests: Digests): boolean {
  const { codeFolder } = program;
  const folder = existsSync(program.folder) ? realpathSync(program.folder) : program.folder;
  const own = findPackage("pulumi-voiceplane", folder);
  const programs = findPackage("pulumi-voiceplane", codeFolder);
  if (own === undefined || programs === undefined) return false;
  // By its files: a checkout that is linked keeps its version while its code changes.
  digests.set("pulumi-voiceplane", digestOfCode(own.folder));
  if (programs.folder !== own.folder) digests.set("pulumi-voiceplane of the program", digestOfCode(programs.folder));
  const { dependencies = {}, peerDependencies = {} } = own.manifest;
  for (const name of [...Object.keys(dependencies), ...Object.keys(peerDependencies)].sort()) {
    const found = findPackage(name, own.folder) ?? findPackage(name, folder);
    digests.set(name, found === undefined ? absent : (found.manifest.version ?? ""));
  }
  return true;
}

/** The plugin is one file. @returns false if it is missing */
function installedPlugin(project: StackProject, env: Environment, digests: Digests): boolean {
  const plugin = findPlugin(project, env);
  if (plugin === undefined) return false;
  digests.set("pulumi-resource-voiceplane", digestOf(plugin.file));
  return true;
}

/** The code of a package, by its folder: a queue reads it for each stack. */
const codeDigests = new Map<string, { readonly files: string; readonly digest: string }>();

/** Read again only if a file was written to. */
function digestOfCode(folder: string): string {
  const dist = join(folder, "dist");
  const names = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: "utf8" }).sort() : [];
  const paths = [
    join(folder, "package.json"),
    ...names.filter((name) => name.endsWith(".js")).map((name) => join(dist, name)),
  ];
  const files = paths.map(stampOf).join("\n");
  const known = codeDigests.get(folder);
  if (known?.files === files) return known.digest;
  const digest = sha256(
    paths.map((path, index) => `${index === 0 ? "" : path.slice(dist.length)} ${digestOf(path)}`).join("\n"),
  );
  codeDigests.set(folder, { files, digest });
  return digest;
}

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

const absent = "absent";

/** Changes with each write to the file. Its own time can be set back, that of the change cannot. */
function stampOf(path: string): string {
  try {
    const { size, ctimeNs, ino } = statSync(path, { bigint: true });
    return `${path} ${size} ${ctimeNs} ${ino}`;
  } catch {
    return absent;
  }
}

/** Of a file's content, or a word for why it has none. */
function digestOf(path: string): string {
  const contents = contentsOf(path);
  return contents === undefined ? absent : sha256(contents);
}

function contentsOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

/** Folders that hold no input: installed packages, which the lock file names, and what tools write. */
const skippedFolders = new Set(["node_modules", ".git", ".voiceplane", ".pulumi"]);

/** Of the names and contents of all files below the folder; of a file's content if it is one. */
function digestOfTree(path: string, ignored: ReadonlySet<string>): string {
  const hash = createHash("sha256");
  const seen = new Set<string>();
  const visit = (current: string, name: string): void => {
    if (ignored.has(resolve(current))) return;
    const stats = statsOf(current);
    if (stats?.isDirectory() === true) {
      // A link may lead back to a folder above it.
      const real = realpathSync(current);
      hash.update(`folder ${JSON.stringify([name, seen.has(real) ? real : ""])}\n`);
      if (seen.has(real)) return;
      seen.add(real);
      for (const entry of entriesOf(current)) {
        if (!skippedFolders.has(entry)) visit(join(current, entry), `${name}/${entry}`);
      }
    } else if (stats === undefined || stats.isFile()) {
      hash.update(`file ${JSON.stringify(name)} ${digestOf(current)}\n`);
    }
  };
  visit(path, "");
  return hash.digest("hex");
}

/** Undefined for what is missing, cannot be reached, or is a link to itself. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return ["unreadable"];
  }
}
