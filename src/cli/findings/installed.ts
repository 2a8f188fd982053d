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

/** Names the program that runs: several may be installed. */
export async function checkEngine(pulumi: QueryPulumi, folder: string, env: Environment): Promise<Finding> {
  const answer = await pulumi(["version"], folder);
  const version = answer.kind === "done" ? /^v?(\d+\.\d+\.\d+[\w.+-]*)\s*$/.exec(answer.stdout)?.[1] : undefined;
  const cli = cliOf(env);
  if (version === undefined) {
    const advice = "Install it: https://www.pulumi.com/docs/iac/download-install/";
    return problemFinding("engine", "engine-missing", whyNoVersion(answer, cli), advice);
  }
  // The CLI and the SDK have the same versions, so the oldest SDK that works has the version of the oldest CLI that works.
  const range = ownManifest().peerDependencies["@pulumi/pulumi"];
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

function checkSdk({ document: { runtime }, program }: Project): Finding[] {
  const range = ownManifest().peerDependencies["@pulumi/pulumi"];
  const advice = `Run npm install; the project's package.json must list @pulumi/pulumi (${range}).`;
  const sdk = findPackage("@pulumi/pulumi", program.folder);
  if (!sdk) return [problemFinding("sdk", "sdk-missing", "@pulumi/pulumi is not installed", advice)];
  if (!isInRange(sdk.version, range))
    return [
      problemFinding("sdk", "sdk-version", `@pulumi/pulumi ${sdk.version} is not compatible with this package`, advice),
    ];
  const found = ok("sdk", `@pulumi/pulumi ${sdk.version}`);
  // The SDK loads a compiler, from where the SDK is, unless Pulumi.yaml turns that off. TypeScript 7 has none to load.
  const options = isObject(runtime) && isObject(runtime.options) ? runtime.options : {};
  const typescript = options.typescript === false ? undefined : findPackage("typescript", sdk.folder);
  if (!typescript || Number.parseInt(typescript.version, 10) < 7) return [found];
  const text = `the engine cannot use TypeScript ${typescript.version}, which has no compiler for it to load`;
  const option = "Set `typescript: false` under `runtime: options:` in Pulumi.yaml, or run npm install typescript@6.";
  return [found, problemFinding("typescript", "typescript", text, option)];
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
  const text = `the project has ${name} ${found.version}, and this command is ${version}`;
  const advice = "Run the project's own command in its folder: npx voiceplane doctor.";
  return warningFinding("package", "package-version", text, advice);
}

/** Unlike `require.resolve`, it finds packages that do not export their manifest, and does not resolve this package itself. */
function findPackage(name: string, from: string): { readonly folder: string; readonly version: string } | undefined {
  const file = fileAbove(from, [join("node_modules", name, "package.json")]);
  if (file === undefined) return undefined;
  const version = textIn(documentIn(file), "version") ?? "of an unknown version";
  // Node looks for the package's dependencies from its real path.
  return { folder: realpathSync(dirname(file)), version };
}

/** Finds the plugin that the engine would start. It must have this package's version. */
function checkPlugin(project: Project, env: Environment): Finding {
  const { name, version: own } = ownManifest();
  const named = namedPlugin(project);
  // A program in YAML reads the plugin's schema, which the engine stores if Pulumi.yaml names the plugin's version.
  const needsVersion = project.runtime === "yaml";
  const member = needsVersion ? `, version: ${own}` : "";
  const line = `plugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin${member} }] }`;
  const folders = named ? [named.folder] : [...pathFolders(env), ...installedPlugins(env)];
  const extension = process.platform === "win32" ? ".cmd" : "";
  const file = folders.map((folder) => join(folder, `pulumi-resource-voiceplane${extension}`)).find(isFile);
  if (file === undefined) {
    const where = named
      ? `in ${named.folder}, which Pulumi.yaml names`
      : "on PATH or in the engine's home, and Pulumi.yaml names no folder";
    const archive = `pulumi plugin install resource voiceplane ${own} --file pulumi-resource-voiceplane-v${own}-<system>.tar.gz`;
    const advice = `Run npm install ${name} and write \`${line}\` into Pulumi.yaml, or install an archive of a release: \`${archive}\`.`;
    return problemFinding("plugin", "plugin-missing", `no pulumi-resource-voiceplane was found ${where}`, advice);
  }
  const version = installedVersion(dirname(file)) ?? findPackage(name, dirname(realpathSync(file)))?.version;
  const text = `pulumi-resource-voiceplane ${version ?? "of an unknown version"}: ${file}`;
  if (version !== own) {
    const advice = "Install the same version of both, or run the project's own command: npx voiceplane doctor.";
    return warningFinding("plugin", "plugin-version", `${text}; this command is ${own}`, advice);
  }
  if (!needsVersion || !named || named.version === own) return ok("plugin", text);
  const reason = `Pulumi.yaml names ${named.version ?? "no version, so each command starts it twice"}`;
  return warningFinding("plugin", "plugin-version", `${text}; ${reason}`, `Write \`${line}\` into Pulumi.yaml.`);
}

/** What Pulumi.yaml says: under `packages` for programs in YAML, or under `plugins`. */
function namedPlugin({ folder, document: { packages, plugins } }: Project) {
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
    .filter((name) => installedVersion(name) !== undefined)
    .sort((a, b) => compareVersions(installedVersion(b) ?? "", installedVersion(a) ?? ""))
    .map((name) => join(plugins, name));
}

const installedVersion = (folder: string): string | undefined =>
  /^resource-voiceplane-v(\d+\.\d+\.\d+(?:[+-][\w.+-]*)?)$/.exec(basename(folder))?.[1];
