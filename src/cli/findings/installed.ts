/** What is installed: the engine, the packages that the program finds in its node_modules, and the native plugin. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { compact, isObject, textIn } from "../../values/any.js";
import { given, pathIn, type Environment } from "../../values/environment.js";
import { ownManifest } from "../manifest.js";
import { cliOf, type PulumiAnswer, type QueryPulumi } from "../pulumi/cli.js";
import { documentIn, fileAbove, isFile, pulumiHome } from "../pulumi/files.js";
import type { Project } from "../pulumi/project.js";
import { problemFinding, ok, warningFinding, type Finding } from "./finding.js";
import { compareVersions, isInRange } from "./versions.js";

/** The versions of the SDK that work with this package. The CLI has the same versions. */
const supportedVersions = (): string => ownManifest().peerDependencies["@pulumi/pulumi"];

/** Whether the engine works with this package. The text has the path of the CLI, because several may be installed. */
export async function checkEngine(pulumi: QueryPulumi, folder: string, env: Environment): Promise<Finding> {
  const answer = await pulumi(["version"], folder);
  const version = answer.kind === "done" ? /^v?(\d+\.\d+\.\d+[\w.+-]*)\s*$/.exec(answer.stdout)?.[1] : undefined;
  const cli = cliOf(env);
  if (version === undefined) {
    const advice = "Install it: https://www.pulumi.com/docs/iac/download-install/";
    return problemFinding("engine", "engine-missing", whyNoVersion(answer, cli), advice);
  }
  const range = supportedVersions();
  if (isInRange(version, range)) return ok("engine", `Pulumi ${version}: ${cli}`);
  const text = `${cli} is Pulumi ${version}, which this package does not support`;
  return warningFinding("engine", "engine-version", text, `Install ${range.replace("^", "")} or newer.`);
}

function whyNoVersion(answer: PulumiAnswer, cli: string): string {
  if (answer.kind === "missing") return "there is no pulumi on PATH";
  if (answer.kind === "done") return `${cli} prints no version`;
  // This command reads no configuration, whose values its error could have.
  return `${cli} does not run: ${compact(answer.why, given(answer.error)).join(", ")}`;
}

/** A Node program needs the SDK and this package; any other program needs the native plugin. */
export function checkPackages(project: Project, env: Environment): Finding[] {
  const { program, runtime } = project;
  if (runtime !== "nodejs") return [checkPlugin(project, env)];
  const usesPlugin = namedPlugin(project) !== undefined || program.text.includes("pulumi-voiceplane/native");
  return compact(...checkSdk(project), checkOwnPackage(program.folder), usesPlugin && checkPlugin(project, env));
}

function checkSdk(project: Project): Finding[] {
  const range = supportedVersions();
  const advice = `Run npm install; the project's package.json must list @pulumi/pulumi (${range}).`;
  const sdk = findPackage("@pulumi/pulumi", project.program.folder);
  if (!sdk) return [problemFinding("sdk", "sdk-missing", "@pulumi/pulumi is not installed", advice)];
  const text = `@pulumi/pulumi ${sdk.version ?? unknownVersion}`;
  if (!isInRange(sdk.version ?? "", range))
    return [problemFinding("sdk", "sdk-version", `${text} is not compatible with this package`, advice)];
  return compact(ok("sdk", text), checkTypescript(project, sdk.folder));
}

/** The SDK loads a compiler, from where the SDK is, unless Pulumi.yaml turns that off. TypeScript 7 has none to load. */
function checkTypescript({ document: { runtime } }: Project, sdkFolder: string): Finding | undefined {
  const options = isObject(runtime) && isObject(runtime.options) ? runtime.options : {};
  if (options.typescript === false) return undefined;
  const { version = "" } = findPackage("typescript", sdkFolder) ?? {};
  if (!isInRange(version, ">=7")) return undefined;
  const text = `the engine cannot use TypeScript ${version}, which has no compiler for it to load`;
  const advice = "Set `typescript: false` under `runtime: options:` in Pulumi.yaml, or run npm install typescript@6.";
  return problemFinding("typescript", "typescript", text, advice);
}

/** The provider's process loads the package from the node_modules of the program's folder or one above it. */
function checkOwnPackage(folder: string): Finding {
  const { name, version } = ownManifest();
  const found = findPackage(name, folder);
  if (!found) {
    const advice = `Run npm install; the project's own package.json must list ${name}; a library that depends on it is not enough.`;
    return problemFinding("package", "package-missing", `${name} cannot be found from ${folder}`, advice);
  }
  if (found.version === version) return ok("package", `${name} ${version}`);
  const text = `the project has ${name} ${found.version ?? unknownVersion}, and this command is ${version}`;
  const advice = "Run the project's own command in its folder: npx voiceplane doctor.";
  return warningFinding("package", "package-version", text, advice);
}

const unknownVersion = "of an unknown version";

/** Unlike `require.resolve`, it finds packages that do not export their manifest, and does not resolve this package itself. */
function findPackage(name: string, from: string) {
  const file = fileAbove(from, [join("node_modules", name, "package.json")]);
  if (file === undefined) return undefined;
  // Node looks for the package's dependencies from its real path.
  return { folder: realpathSync(dirname(file)), version: textIn(documentIn(file), "version") };
}

/** The plugin that the engine would start must have this package's version. */
function checkPlugin(project: Project, env: Environment): Finding {
  const named = namedPlugin(project);
  const folders = named ? [named.folder] : [...pathFolders(env), ...installedPlugins(env)];
  const extension = process.platform === "win32" ? ".cmd" : "";
  const file = folders.map((folder) => join(folder, `pulumi-resource-voiceplane${extension}`)).find(isFile);
  return file === undefined ? missingPlugin(project, named) : checkPluginVersion(file, project, named);
}

function missingPlugin(project: Project, named: NamedPlugin | undefined): Finding {
  const { name, version } = ownManifest();
  const where = named
    ? `in ${named.folder}, which Pulumi.yaml names`
    : "on PATH or in the engine's home, and Pulumi.yaml names no folder";
  const archive = `pulumi plugin install resource voiceplane ${version} --file pulumi-resource-voiceplane-v${version}-<system>.tar.gz`;
  const advice = `Run npm install ${name} and write \`${pluginLine(project)}\` into Pulumi.yaml, or install an archive of a release: \`${archive}\`.`;
  return problemFinding("plugin", "plugin-missing", `no pulumi-resource-voiceplane was found ${where}`, advice);
}

function checkPluginVersion(file: string, project: Project, named: NamedPlugin | undefined): Finding {
  const { name, version: own } = ownManifest();
  const version = installedVersion(dirname(file)) ?? findPackage(name, dirname(realpathSync(file)))?.version;
  const text = `pulumi-resource-voiceplane ${version ?? unknownVersion}: ${file}`;
  if (version !== own) {
    const advice = "Install the same version of both, or run the project's own command: npx voiceplane doctor.";
    return warningFinding("plugin", "plugin-version", `${text}; this command is ${own}`, advice);
  }
  if (!needsVersion(project) || !named || named.version === own) return ok("plugin", text);
  const reason = `Pulumi.yaml names ${named.version ?? "no version, so each command starts it twice"}`;
  const advice = `Write \`${pluginLine(project)}\` into Pulumi.yaml.`;
  return warningFinding("plugin", "plugin-version", `${text}; ${reason}`, advice);
}

/** A program in YAML reads the plugin's schema, which the engine stores if Pulumi.yaml names the plugin's version. */
const needsVersion = ({ runtime }: Project): boolean => runtime === "yaml";

function pluginLine(project: Project): string {
  const version = needsVersion(project) ? `, version: ${ownManifest().version}` : "";
  return `plugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin${version} }] }`;
}

interface NamedPlugin {
  readonly folder: string;
  readonly version: string | undefined;
}

/** What Pulumi.yaml says: under `packages` for programs in YAML, or under `plugins`. Only the latter names a version. */
function namedPlugin({ folder, document: { packages, plugins } }: Project): NamedPlugin | undefined {
  const entry: unknown = isObject(packages) ? packages.voiceplane : undefined;
  const source: unknown = isObject(entry) ? entry.source : entry;
  const isPath = typeof source === "string" && (source.startsWith(".") || isAbsolute(source));
  const providers: unknown[] = isObject(plugins) && Array.isArray(plugins.providers) ? plugins.providers : [];
  const provider = providers.filter(isObject).find(({ name }) => name === "voiceplane") ?? {};
  const path = given(isPath ? source : textIn(provider, "path"));
  return path === undefined ? undefined : { folder: resolve(folder, path), version: textIn(provider, "version") };
}

/** npx and npm's scripts put the project's own programs on PATH, where the engine would not see them. */
function pathFolders(env: Environment): string[] {
  if (env.PULUMI_IGNORE_AMBIENT_PLUGINS === "true") return [];
  const isOfNpm = (folder: string) => env.npm_lifecycle_event !== undefined && /node_modules[\\/]\.bin$/.test(folder);
  return pathIn(env)
    .split(delimiter)
    .filter((folder) => folder !== "" && !isOfNpm(folder));
}

/** The folders of the installed plugins, the newest first, as the engine takes them. */
function installedPlugins(env: Environment): string[] {
  const plugins = join(pulumiHome(env), "plugins");
  const names = existsSync(plugins) ? readdirSync(plugins) : [];
  return names
    .flatMap((name) => {
      const version = installedVersion(name);
      return version === undefined ? [] : [{ folder: join(plugins, name), version }];
    })
    .sort((a, b) => compareVersions(b.version, a.version))
    .map(({ folder }) => folder);
}

const installedVersion = (folder: string): string | undefined =>
  /^resource-voiceplane-v(\d+\.\d+\.\d+(?:[+-][\w.+-]*)?)$/.exec(basename(folder))?.[1];
