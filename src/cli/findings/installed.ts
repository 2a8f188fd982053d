/** What is installed: Node, the engine, and the packages that the program finds in its node_modules. */
import { delimiter } from "node:path";
import { isObject } from "../../values/any.js";
import type { QueryPulumi } from "../pulumi/answer.js";
import { engineProxy } from "../pulumi/cli.js";
import { findPackage, type InstalledPackage } from "./packages.js";
import { findPlugin, namedPluginFolder, namedPluginVersion } from "./plugin.js";
import { isInRange } from "./versions.js";
import type { Project } from "../pulumi/project.js";
import { failure, ok, warning, type Finding } from "./finding.js";
import { ownManifest } from "../manifest.js";

/** @param version such as "24.21.0" */
export function checkNode(version: string): Finding {
  const range = ownManifest().engines.node;
  return isInRange(version, range)
    ? ok("node", `Node ${version}`)
    : failure("node", `Node ${version} is too old`, `Install Node ${range.replace(">=", "")} or newer.`);
}

const install = "Install it: https://www.pulumi.com/docs/iac/download-install/";

export async function checkEngine(pulumi: QueryPulumi, folder: string): Promise<Finding> {
  const answer = await pulumi(["version"], folder);
  if (answer.kind === "missing") return failure("engine", "there is no pulumi on PATH", install);
  if (answer.kind === "failed") return failure("engine", `"pulumi version" fails (${answer.why})`, install);
  const version = /^v?(\d+\.\d+\.\d+[\w.+-]*)\s*$/.exec(answer.stdout)?.[1];
  if (version === undefined) return failure("engine", "the pulumi on PATH prints no version", install);
  // CLI and SDK have the same versions, so the oldest SDK that works is also the oldest CLI.
  const range = ownManifest().peerDependencies["@pulumi/pulumi"];
  return isInRange(version, range)
    ? ok("engine", `Pulumi ${version}`)
    : warning(
        "engine",
        `Pulumi ${version} is not a version that this package supports`,
        `Install ${range.replace("^", "")} or newer.`,
      );
}

/** Commands of this package exempt the loopback themselves. */
export function checkEngineProxy(env: NodeJS.ProcessEnv): Finding[] {
  const name = engineProxy(env);
  if (name === undefined) return [];
  const message = `plain \`pulumi\` fails in this shell: ${name} also sends its traffic on this machine to the proxy`;
  return [warning("proxy", message, "Add localhost,127.0.0.1,::1 to no_proxy.")];
}

/** What the program needs: a Node program the SDK and this package, another one the native plugin. */
export function checkPackages(project: Project, env: NodeJS.ProcessEnv): Finding[] {
  const { program, runtime } = project;
  if (runtime !== "nodejs") return [checkPlugin(project, env)];
  const sdk = findPackage("@pulumi/pulumi", program.folder);
  const usesPlugin = namedPluginFolder(project) !== undefined || program.text.includes("pulumi-voiceplane/native");
  return [
    checkSdk(sdk),
    checkTypeScript(project, sdk),
    checkOwnPackage(project),
    ...(usesPlugin ? [checkPlugin(project, env)] : []),
  ];
}

/** The plugin that the engine would start. It must have this package's version. */
function checkPlugin(project: Project, env: NodeJS.ProcessEnv): Finding {
  const own = ownManifest().version;
  const found = findPlugin(project, withoutNpmFolders(env));
  const byArchive = `pulumi plugin install resource voiceplane ${own} --file pulumi-resource-voiceplane-v${own}-<system>.tar.gz`;
  if (!found) {
    const folder = namedPluginFolder(project);
    return folder === undefined
      ? failure(
          "plugin",
          "the native plugin was not found: Pulumi.yaml does not name its folder, and it is neither on PATH nor among the engine's plugins",
          `Run npm install pulumi-voiceplane and write \`${pluginLines(project)}\` into Pulumi.yaml, or install an archive of a release: \`${byArchive}\`.`,
        )
      : failure(
          "plugin",
          `there is no pulumi-resource-voiceplane in ${folder}, the folder that Pulumi.yaml names`,
          "Run npm install in the project's folder.",
        );
  }
  const where = { "Pulumi.yaml": "as Pulumi.yaml says", PATH: "from PATH", installed: "installed" }[found.foundBy];
  const message = `pulumi-resource-voiceplane ${found.version ?? "of an unknown version"}, ${where}: ${found.file}`;
  if (found.version !== own) {
    const advice = "Install the same version of both, or run the project's own command: npx voiceplane doctor.";
    return warning("plugin", `${message}; this command is ${own}`, advice);
  }
  if (project.runtime !== "yaml" || found.foundBy !== "Pulumi.yaml") return ok("plugin", message);
  const version = namedPluginVersion(project);
  if (version === own) return ok("plugin", message);
  const problem =
    version === undefined
      ? "Pulumi.yaml does not name its version, so each command starts it twice"
      : `Pulumi.yaml names the version ${version}`;
  return warning("plugin", `${message}; ${problem}`, `Write \`${pluginLines(project)}\` into Pulumi.yaml.`);
}

/** Only a program in YAML reads the plugin's schema. With a version, the engine keeps it. */
function pluginLines({ runtime }: Project): string {
  const version = runtime === "yaml" ? `, version: ${ownManifest().version}` : "";
  return `plugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin${version} }] }`;
}

/** npx and npm's scripts put the project's own programs on PATH, where the engine would not see them. */
function withoutNpmFolders(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env.npm_lifecycle_event === undefined) return env;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => !/node_modules[\\/]\.bin$/.test(folder));
  return { ...env, PATH: folders.join(delimiter) };
}

/** The engine loads a TypeScript compiler, unless Pulumi.yaml says `typescript: false`. */
function compiles({ document: { runtime } }: Project): boolean {
  const options = isObject(runtime) && isObject(runtime.options) ? runtime.options : {};
  return options.typescript !== false;
}

function checkSdk(sdk: InstalledPackage | undefined): Finding {
  const range = ownManifest().peerDependencies["@pulumi/pulumi"];
  const advice = `Run npm install; the project's package.json must list @pulumi/pulumi (${range}).`;
  if (!sdk) return failure("sdk", "@pulumi/pulumi is not installed", advice);
  const version = versionOf(sdk);
  return isInRange(version, range)
    ? ok("sdk", `@pulumi/pulumi ${version}`)
    : failure("sdk", `@pulumi/pulumi ${version} is not compatible with this package`, advice);
}

/** TypeScript 7 has no compiler API. The SDK loads the compiler unless Pulumi.yaml turns that off. */
function checkTypeScript(project: Project, sdk: InstalledPackage | undefined): Finding {
  if (!compiles(project)) return ok("typescript", "no compiler is loaded: Pulumi.yaml says typescript: false");
  // The SDK loads the compiler, so the search starts at the SDK.
  const typescript = findPackage("typescript", sdk?.folder ?? project.program.folder);
  if (!typescript) return ok("typescript", "none is installed: the SDK brings its own");
  const version = versionOf(typescript);
  return Number.parseInt(version, 10) < 7
    ? ok("typescript", `TypeScript ${version}`)
    : failure(
        "typescript",
        `the engine cannot use TypeScript ${version}, which has no compiler for it to load`,
        "Set `typescript: false` under `runtime: options:` in Pulumi.yaml, or run npm install typescript@6.",
      );
}

/** The provider's process loads the package from the node_modules of the program's folder or one above it. */
function checkOwnPackage({ program }: Project): Finding {
  const { name, version } = ownManifest();
  const found = findPackage(name, program.folder);
  if (!found) {
    return failure(
      "package",
      `${name} cannot be found from ${program.folder}`,
      `Run npm install; the project's own package.json must list ${name}; a library that depends on it is not enough.`,
    );
  }
  if (versionOf(found) === version) return ok("package", `${name} ${version}`);
  const message = `the project has ${name} ${versionOf(found)}, and this command is ${version}`;
  return warning("package", message, "Run the project's own command in its folder: npx voiceplane doctor.");
}

const versionOf = ({ manifest }: InstalledPackage): string => manifest.version ?? "of an unknown version";
