/** Where the engine finds the native plugin. */
import { accessSync, constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isObject } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import { pulumiHome } from "../pulumi/backend.js";
import { documentIn } from "../pulumi/files.js";
import type { Project } from "../pulumi/project.js";
import { compareVersions } from "./versions.js";

export interface FoundPlugin {
  readonly file: string;
  readonly foundBy: "Pulumi.yaml" | "PATH" | "installed";
  /** Undefined if unknown. */
  readonly version: string | undefined;
}

const program = "pulumi-resource-voiceplane";

const extensions = process.platform === "win32" ? [".exe", ".cmd"] : [""];

/** The folder in Pulumi.yaml, under `packages` for programs in YAML, or under `plugins`. */
export function namedPluginFolder({ folder, document }: Project): string | undefined {
  const { packages } = document;
  const named: unknown = isObject(packages) ? packages.voiceplane : undefined;
  const source: unknown = isObject(named) ? named.source : named;
  const isPath = typeof source === "string" && (source.startsWith(".") || isAbsolute(source));
  const path = isPath ? source : namedProvider(document)?.path;
  return typeof path === "string" && path !== "" ? resolve(folder, path) : undefined;
}

/** The version under `plugins` in Pulumi.yaml. */
export function namedPluginVersion({ document }: Project): string | undefined {
  const version = namedProvider(document)?.version;
  return typeof version === "string" ? version : undefined;
}

function namedProvider({ plugins }: Project["document"]): Readonly<Record<string, unknown>> | undefined {
  const providers: unknown[] = isObject(plugins) && Array.isArray(plugins.providers) ? plugins.providers : [];
  return providers.filter(isObject).find(({ name }) => name === "voiceplane");
}

/** In the engine's order: Pulumi.yaml, then the PATH, then the newest installed version. */
export function findPlugin(project: Project, env: Environment): FoundPlugin | undefined {
  const named = namedPluginFolder(project);
  if (named !== undefined) return foundIn(named, "Pulumi.yaml");
  const folders = env.PULUMI_IGNORE_AMBIENT_PLUGINS === "true" ? [] : (env.PATH ?? "").split(delimiter);
  const onPath = folders
    .filter((folder) => folder !== "")
    .map((folder) => foundIn(folder, "PATH"))
    .find((found) => found !== undefined);
  return onPath ?? newestInstalled(env);
}

function foundIn(folder: string, foundBy: FoundPlugin["foundBy"]): FoundPlugin | undefined {
  const file = extensions.map((extension) => join(folder, program + extension)).find(isExecutable);
  return file === undefined ? undefined : { file, foundBy, version: versionInPackage(file) };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm links the package's file, or writes its own script beside the package. */
function versionInPackage(file: string): string | undefined {
  const folders = [join(dirname(realpathSync(file)), ".."), join(dirname(file), "../pulumi-voiceplane")];
  const manifest = folders
    .map((folder) => documentIn(join(folder, "package.json")))
    .find((each) => isObject(each) && each.name === "pulumi-voiceplane");
  return isObject(manifest) ? String(manifest.version) : undefined;
}

function newestInstalled(env: Environment): FoundPlugin | undefined {
  const plugins = join(pulumiHome(env), "plugins");
  const versions = (existsSync(plugins) ? readdirSync(plugins) : [])
    .flatMap((name) => /^resource-voiceplane-v(\d+\.\d+\.\d+(?:[+-][\w.+-]*)?)$/.exec(name)?.[1] ?? [])
    // The engine is still installing it, or was killed while it did.
    .filter(
      (version) => !version.endsWith(".lock") && !existsSync(join(plugins, `resource-voiceplane-v${version}.partial`)),
    );
  const [newest] = versions.sort((a, b) => compareVersions(b, a));
  const found =
    newest === undefined ? undefined : foundIn(join(plugins, `resource-voiceplane-v${newest}`), "installed");
  return found && { ...found, version: newest };
}
