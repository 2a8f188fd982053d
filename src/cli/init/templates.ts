/** The files in `templates/`, which are the files of a new project. Its pipelines come from the examples. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { ownManifest, packageFolder } from "../../check/manifest.js";
import type { Files } from "./write.js";

export const template = (name: string): string => readFileSync(join(packageFolder, "templates", name), "utf8");

const names = ["Pulumi.yaml", "organization.yaml", "package.json", "index.js"];

/** package.json has no name: npm refuses to install a package below another one of the same name. */
export function projectFiles(name: string): Files {
  const { version, engines, peerDependencies } = ownManifest();
  const values: Readonly<Record<string, string>> = {
    NAME: stringify(name).trim(),
    VERSION: version,
    NODE: engines.node,
    PULUMI: peerDependencies["@pulumi/pulumi"],
  };
  const filled = (file: string) => template(file).replaceAll(/__([A-Z]+)__/g, (_, key: string) => values[key] ?? "");
  return Object.fromEntries(names.map((file) => [file, filled(file)]));
}

/**
 * Packages, files that previews and pipelines leave, update events (they hold secrets in plain text), and a state kept in
 * files. Stack configurations belong in the repository: their secrets are encrypted.
 */
export const ignoredFiles = (): string[] => template("gitignore").trimEnd().split("\n");
