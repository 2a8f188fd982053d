/** The package as users get it: packed, then unpacked into the node_modules of a folder outside this checkout. */
import { execFile, execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { secretsProvider } from "./key-service";
import { passphrase } from "./secrets";
import { root } from "../repository";

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly bin?: Record<string, string>;
}

/** Files of the run. All test files share them, and they are removed after it. */
export function runFolder(name: string): string {
  return join(process.env.VOICEPLANE_SURROUNDINGS ?? "", name);
}

/** A folder whose node_modules hold the package and its dependencies. Projects below it find both, as in a workspace. */
export function sharedInstallation(): string {
  return runFolder("installation");
}

/** Called by jest's global setup, if a suite of the run uses the package. */
export async function installShared(): Promise<void> {
  const folder = sharedInstallation();
  process.env.VOICEPLANE_ENGINE ??= engineFolder();
  process.env.VOICEPLANE_TARBALL ??= pack();
  if (existsSync(folder)) return;
  installFiles(folder);
  execFileSync(process.execPath, [join(__dirname, "fill-compile-cache.cjs"), folder, engineFolder()], {
    cwd: folder,
    env: { ...process.env, ...engineMemory, NODE_COMPILE_CACHE: compileCache(folder) },
  });
  await initializeStack();
}

/** The organization of the projects' stacks. A stack's own configuration may have another one. */
export const organizationConfig = { "voiceplane:organization": "acme" };

export const projectYaml =
  "name: test\nruntime: { name: nodejs, options: { typescript: false } }\nconfig: { voiceplane:organization: acme }\n";

/** A project after `pulumi stack init`. */
const initialProject = (): string => join(sharedInstallation(), "initialized");

/** Does what `pulumi stack init dev` does in a project with {@link projectYaml}, without a command. */
export function copyInitialStack(folder: string): void {
  for (const name of [".state", "Pulumi.dev.yaml"]) {
    cpSync(join(initialProject(), name), join(folder, name), { recursive: true });
  }
  // The engine stores the selected stack outside the state, by the project's path.
  const path = join(realpathSync(folder), "Pulumi.yaml");
  const workspaces = join(folder, ".home/workspaces");
  mkdirSync(workspaces, { recursive: true });
  const stacks = { [pathToFileURL(join(folder, ".state")).href]: "organization/test/dev" };
  writeFileSync(join(workspaces, `test-${hash("sha1", path)}-workspace.json`), JSON.stringify({ stacks }));
}

/** Not in one blocking call, because the key service answers in this process. */
async function initializeStack(): Promise<void> {
  const cwd = initialProject();
  mkdirSync(join(cwd, ".state"), { recursive: true });
  writeFileSync(join(cwd, "Pulumi.yaml"), projectYaml);
  const env = { ...engineEnvironment(cwd), PULUMI_BACKEND_URL: pathToFileURL(join(cwd, ".state")).href };
  const args = ["stack", "init", "dev", "--non-interactive", "--secrets-provider", secretsProvider];
  await promisify(execFile)("pulumi", args, { cwd, env });
}

/** Node's compile cache of an installation. */
export function compileCache(installation: string): string {
  return join(installation, ".compiled");
}

/**
 * An engine runs for seconds, and spends a fifth of them on garbage collection if it may. The compile cache uses
 * relative paths, so that a copy of an installation can use it too.
 */
export const engineMemory = { GOGC: "off", GOMEMLIMIT: "1GiB", NODE_COMPILE_CACHE_PORTABLE: "1" } as const;

/** The option of Node that loads these files of this folder before anything else. */
const preloading = (...files: string[]): string =>
  ["lazy-modules.cjs", ...files].map((file) => `--require "${join(__dirname, file)}"`).join(" ");

/** The environment in which programs and providers take this time, ISO 8601, for the present. */
export const clockOf = ({ at }: { readonly at?: string }): NodeJS.ProcessEnv =>
  at === undefined ? {} : { NODE_OPTIONS: preloading("pin-clock.cjs"), TEST_CLOCK: at };

/** The environment of an engine with its own home, without its state, its project's settings and a compile cache. */
export function engineEnvironment(home: string): Record<string, string> {
  return {
    PATH: [engineFolder(), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    PULUMI_HOME: join(home, ".home"),
    // Of the key service, and of stacks that have a passphrase in place of it. Public, because they guard only the tests' secrets.
    VAULT_SERVER_URL: process.env.VAULT_SERVER_URL ?? "",
    VAULT_SERVER_TOKEN: process.env.VAULT_SERVER_TOKEN ?? "",
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "1",
    NODE_OPTIONS: preloading(),
    ...engineMemory,
  };
}

/** The folder of the package in the shared installation. */
export function installedPackage(): string {
  return join(sharedInstallation(), "node_modules/pulumi-voiceplane");
}

/** The program of the `voiceplane` command, as packed. */
export const cli = join(installedPackage(), "dist/cli/index.js");

function installFiles(folder: string): void {
  const modules = join(folder, "node_modules");
  unpack(process.env.VOICEPLANE_TARBALL ?? "", join(modules, "pulumi-voiceplane"));
  const { dependencies = {} } = manifestOf(join(modules, "pulumi-voiceplane"));
  linkWithDependencies(["@pulumi/pulumi", ...Object.keys(dependencies)], modules);
  linkPrograms(modules);
}

function linkPrograms(modules: string): void {
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const { bin = {} } = manifestOf(join(modules, "pulumi-voiceplane"));
  for (const [name, file] of Object.entries(bin)) {
    symlinkSync(join("../pulumi-voiceplane", file), join(modules, ".bin", name));
    chmodSync(join(modules, "pulumi-voiceplane", file), 0o755);
  }
}

/** The folder of the Pulumi CLI and its language hosts. */
export function engineFolder(): string {
  return (
    process.env.VOICEPLANE_ENGINE ??
    execFileSync(process.execPath, [join(root, "tools/engine/index.mjs"), "--yaml"], { encoding: "utf8" }).trim()
  );
}

function pack(): string {
  requireFreshBuild();
  const folder = runFolder("package");
  mkdirSync(folder, { recursive: true });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  const [name = ""] = readdirSync(folder);
  return join(folder, name);
}

/** An outdated build would test outdated code. */
function requireFreshBuild(): void {
  const newest = (folder: string): number =>
    Math.max(
      ...readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
        (name) => statSync(join(root, folder, name)).mtimeMs,
      ),
    );
  if (!existsSync(join(root, "dist")) || newest("dist") < newest("src")) {
    throw new Error("dist is older than src: `npm run build` first");
  }
}

function unpack(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", folder]);
}

/** Links the development dependencies, which are the same files as in the registry. */
function linkWithDependencies(names: readonly string[], modules: string): void {
  const source = join(root, "node_modules");
  const pending = [...names];
  const done = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (done.has(name) || !existsSync(join(source, name))) continue;
    done.add(name);
    linkFolder(join(source, name), join(modules, name));
    const { dependencies, optionalDependencies } = manifestOf(join(source, name));
    pending.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else linkOrCopy(source, target);
  }
}

/** Hard links cannot cross file systems. */
function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    cpSync(source, target, { verbatimSymlinks: true });
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
