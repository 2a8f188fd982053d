/** What is installed: the engine, the packages that the program finds in its node_modules, and the native plugin. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { compact, isObject, messageOf, textIn } from "../../../values/any.js";
import { given, pathIn, type Environment } from "../../../values/environment.js";
import { ok, problemFinding, warningFinding, type Finding } from "../../finding.js";
import { ownManifest } from "../../manifest.js";
import { failureOf, type Pulumi } from "../../pulumi/cli.js";
import { documentIn, fileAbove, isFile, pulumiHome } from "../../pulumi/files.js";
import type { Project } from "../../pulumi/project.js";
import { isInRange } from "./versions.js";

/** The versions of the SDK that work with this package. The CLI has the same versions. */
const supportedVersions = (): string => ownManifest().peerDependencies["@pulumi/pulumi"];

/** Whether the engine works with this package. The text has the path of the CLI, because several may be installed. */
export async function checkEngine(pulumi: Pulumi): Promise<Finding> {
  const missing = (text: string) =>
    problemFinding("engine", "engine", text, "Install it: https://www.pulumi.com/docs/iac/download-install/");
  const finished = await pulumi(["version"]).catch(messageOf);
  if (typeof finished === "string") return missing(finished);
  const { code, stdout, cli } = finished;
  const version = /^v?(\d+\.\d+\.\d+[\w.+-]*)\s*$/m.exec(stdout)?.[1];
  if (code !== 0 || version === undefined) return missing(failureOf(finished));
  const range = supportedVersions();
  if (isInRange(version, range)) return ok("engine", `Pulumi ${version}: ${cli}`);
  const text = `${cli} is Pulumi ${version}, which this package does not support`;
  return warningFinding("engine", "engine", text, `Install ${range.replace("^", "")} or newer.`);
}

/** A Node program needs the SDK and this package; any other program needs the native plugin. */
export function checkPackages(project: Project, env: Environment): Finding[] {
  const named = pluginFolder(project);
  if (project.runtime !== "nodejs") return [checkPlugin(named, env)];
  return compact(checkSdk(project), checkOwnPackage(project), named !== undefined && checkPlugin(named, env));
}

const unknownVersion = "of an unknown version";

function checkSdk({ folder }: Project): Finding {
  const range = supportedVersions();
  const advice = `Run npm install; the project's package.json must list @pulumi/pulumi (${range}).`;
  const version = installedVersion("@pulumi/pulumi", folder);
  if (version === undefined) return problemFinding("sdk", "sdk", "@pulumi/pulumi is not installed", advice);
  if (isInRange(version, range)) return ok("sdk", `@pulumi/pulumi ${version}`);
  return problemFinding("sdk", "sdk", `@pulumi/pulumi ${version} is not compatible with this package`, advice);
}

/** The provider's process loads the package from the node_modules of the program's folder or one above it. */
function checkOwnPackage({ folder }: Project): Finding {
  const { name, version } = ownManifest();
  const found = installedVersion(name, folder);
  if (found === undefined) {
    const advice = `Run npm install; the project's own package.json must list ${name}; a library that depends on it is not enough.`;
    return problemFinding("package", "package", `${name} cannot be found from ${folder}`, advice);
  }
  if (found === version) return ok("package", `${name} ${version}`);
  const text = `the project has ${name} ${found}, and this command is ${version}`;
  return warningFinding("package", "package", text, `${ownCommand}.`);
}

const ownCommand = "Run the project's own command in its folder: npx voiceplane doctor";

/** Unlike `require.resolve`, it finds packages that do not export their manifest, and does not resolve this package itself. */
function installedVersion(name: string, from: string): string | undefined {
  const file = fileAbove(from, [join("node_modules", name, "package.json")]);
  return file === undefined ? undefined : (textIn(documentIn(file), "version") ?? unknownVersion);
}

/** The plugin that the engine would start: from where Pulumi.yaml says, or else from PATH or the engine's home. */
function checkPlugin(named: string | undefined, env: Environment): Finding {
  const { name, version } = ownManifest();
  const program = `pulumi-resource-voiceplane${process.platform === "win32" ? ".cmd" : ""}`;
  const folders =
    named === undefined ? [...pathIn(env).split(delimiter).filter(Boolean), ...installedPlugins(env)] : [named];
  const file = folders.map((folder) => join(folder, program)).find(isFile);
  const advice = `Run npm install ${name} and write \`plugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin, version: ${version} }] }\` into Pulumi.yaml.`;
  if (file === undefined) {
    const where = named === undefined ? "on PATH or in the engine's home" : `in ${named}, which Pulumi.yaml names`;
    return problemFinding("plugin", "plugin", `no pulumi-resource-voiceplane was found ${where}`, advice);
  }
  const found =
    /resource-voiceplane-v(\d[^/\\]*)[/\\]/.exec(file)?.[1] ?? installedVersion(name, dirname(realpathSync(file)));
  const text = `pulumi-resource-voiceplane ${found ?? unknownVersion}: ${file}`;
  if (found === version) return ok("plugin", text);
  return warningFinding("plugin", "plugin", `${text}; this command is ${version}`, `${ownCommand}.`);
}

/** The folder that Pulumi.yaml names, under `packages` for programs in YAML, or under `plugins`. */
function pluginFolder({ folder, document: { packages, plugins } }: Project): string | undefined {
  const entry: unknown = isObject(packages) ? packages.voiceplane : undefined;
  const source: unknown = isObject(entry) ? entry.source : entry;
  const providers: unknown[] = isObject(plugins) && Array.isArray(plugins.providers) ? plugins.providers : [];
  const provider = providers.filter(isObject).find(({ name }) => name === "voiceplane") ?? {};
  const path = given(typeof source === "string" && /^[./]/.test(source) ? source : textIn(provider, "path"));
  return path === undefined ? undefined : resolve(folder, path);
}

/** The folders of the installed plugins. */
function installedPlugins(env: Environment): string[] {
  const plugins = join(pulumiHome(env), "plugins");
  const names = existsSync(plugins) ? readdirSync(plugins) : [];
  return names
    .filter((each) => /^resource-voiceplane-v[^.]+\.\d+\.[^.]+$/.test(each))
    .map((each) => join(plugins, each));
}
