/** The files in `templates/`: those of a new project, and texts about its pipeline. The pipelines themselves come from the examples. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { ownManifest, packageFolder } from "../../manifest.js";
import { defaultOrganizationFile } from "../../../organization-file/content.js";
import type { Files } from "./write.js";

export const template = (name: string): string => readFileSync(join(packageFolder, "templates", name), "utf8");

/** @param values by the names that the template has between underscores, as in `__NAME__` */
export const filledTemplate = (name: string, values: Readonly<Record<string, string>>): string =>
  template(name).replaceAll(/__([A-Z]+)__/g, (_, key: string) => values[key] ?? "");

export const runtimes = ["nodejs", "yaml"] as const;
export type Runtime = (typeof runtimes)[number];

/** @param organizationFile the text of the organization file */
export function projectFiles(name: string, runtime: Runtime, organizationFile: string): Files {
  const { version, engines, peerDependencies } = ownManifest();
  const values = {
    NAME: stringify(name).trim(),
    VERSION: version,
    NODE: engines.node,
    PULUMI: peerDependencies["@pulumi/pulumi"],
    PROPERTIES: pulumiProperties(organizationFile),
  };
  const filled = (file: string) => filledTemplate(file, values);
  // It has no name, because npm refuses to install a package below another one of the same name.
  const manifest = filled("package.json");
  if (runtime === "yaml") return { "Pulumi.yaml": filled("program.yaml"), "package.json": manifest };
  return {
    "Pulumi.yaml": filled("Pulumi.yaml"),
    [defaultOrganizationFile]: organizationFile,
    "package.json": manifest,
    "index.js": filled("index.js"),
  };
}

/** An organization file as the properties of an `Organization` in Pulumi YAML, which reads `${…}` as an expression. */
function pulumiProperties(organizationFile: string): string {
  // The first paragraph is for the editor and about the file.
  const content = organizationFile
    .slice(organizationFile.indexOf("\n\n"))
    .trim()
    .replaceAll("${", () => "$${");
  return content.replaceAll(/^(?=.)/gm, "      ");
}

/** The lines of .gitignore. The files with the configuration of stacks are not ignored: their secrets are encrypted. */
export const ignoredFiles = (): string[] => template("gitignore").trimEnd().split("\n");
