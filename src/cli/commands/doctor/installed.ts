/** What is installed: the engine, the packages that the program finds in its node_modules, and the native plugin. */
import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { compact, isObject, messageOf, textIn } from "../../../values/any.js";
import { given } from "../../../values/environment.js";
import { ok, problemFinding, warningFinding, type Finding } from "../../finding.js";
import { version as ownVersion } from "../../../values/version.js";
import { ownManifest } from "../../commander.js";
import { failureOf, type Pulumi } from "../../pulumi/cli.js";
import { documentIn, fileAbove, isFile, type Project } from "../../pulumi/project.js";

/** The oldest SDK that works with this package, and so does each newer one of its major version. The CLI has the same versions. */
const oldestVersion = (): string => ownManifest().peerDependencies["@pulumi/pulumi"].replace("^", "");

function isSupported(version: string): boolean {
  const oldest = oldestVersion();
  const isSameMajor = version.split(".")[0] === oldest.split(".")[0];
  return isSameMajor && version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}

/** Whether the engine works with this package. The text has the path of the CLI, because several may be installed. */
export async function checkEngine(pulumi: Pulumi): Promise<Finding> {
  const missing = (text: string) =>
    problemFinding("engine", "engine", text, "Install it: https://www.pulumi.com/docs/iac/download-install/");
  const finished = await pulumi(["version"]).catch(messageOf);
  if (typeof finished === "string") return missing(finished);
  const { code, stdout, cli } = finished;
  const version = /^v?(\d+\.\d+\.\d+[\w.+-]*)\s*$/m.exec(stdout)?.[1];
  if (code !== 0 || version === undefined) return missing(failureOf(finished));
  if (isSupported(version)) return ok("engine", `Pulumi ${version}: ${cli}`);
  const text = `${cli} is Pulumi ${version}, which this package does not support`;
  return warningFinding("engine", "engine", text, `Install ${oldestVersion()} or newer.`);
}

/** A Node program needs the SDK. The native plugin has to be where Pulumi.yaml says. */
export function checkPackages(project: Project): Finding[] {
  const folder = pluginFolder(project);
  return compact(project.runtime === "nodejs" && checkSdk(project), folder !== undefined && checkPlugin(folder));
}

const unknownVersion = "of an unknown version";

function checkSdk({ folder }: Project): Finding {
  const advice = `Run npm install; the project's package.json must list @pulumi/pulumi (^${oldestVersion()}).`;
  const version = installedVersion("@pulumi/pulumi", folder);
  if (version === undefined) return problemFinding("sdk", "sdk", "@pulumi/pulumi is not installed", advice);
  if (isSupported(version)) return ok("sdk", `@pulumi/pulumi ${version}`);
  return problemFinding("sdk", "sdk", `@pulumi/pulumi ${version} is not compatible with this package`, advice);
}

/** Unlike `require.resolve`, it finds packages that do not export their manifest, and does not resolve this package itself. */
function installedVersion(name: string, from: string): string | undefined {
  const file = fileAbove(from, [join("node_modules", name, "package.json")]);
  return file === undefined ? undefined : (textIn(documentIn(file), "version") ?? unknownVersion);
}

function checkPlugin(folder: string): Finding {
  const file = join(folder, `pulumi-resource-voiceplane${process.platform === "win32" ? ".cmd" : ""}`);
  if (!isFile(file)) {
    const text = `there is no ${file}, which Pulumi.yaml names`;
    return problemFinding(
      "plugin",
      "plugin",
      text,
      `Run npm install ${ownManifest().name}, or correct \`plugins\` in Pulumi.yaml.`,
    );
  }
  const found = installedVersion(ownManifest().name, dirname(realpathSync(file))) ?? unknownVersion;
  const text = `pulumi-resource-voiceplane ${found}: ${file}`;
  if (found === ownVersion) return ok("plugin", text);
  const advice = "Run the project's own command in its folder: npx voiceplane doctor.";
  return warningFinding("plugin", "plugin", `${text}; this command is ${ownVersion}`, advice);
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
