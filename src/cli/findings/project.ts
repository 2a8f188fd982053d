/** The Pulumi project of a folder, and its organization files. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  configuredText,
  projectFileAbove,
  readProjectFile,
  stackFileOf,
  stackNamesIn,
  type Project,
} from "../pulumi/project.js";
import { contentOf } from "../../organization-file/content.js";
import { decodeUtf8, defaultOrganizationFile } from "../../organization-file/document.js";
import { readOrganizationFile } from "../../organization-file/reader.js";
import { readYamlProgram } from "../../organization-file/yaml-program.js";
import type { Environment } from "../../values/environment.js";
import { failure, ok, type Finding } from "./finding.js";

interface FoundProject {
  readonly finding: Finding;
  readonly file?: string;
  readonly project?: Project;
}

/** Searches the folder and those above it. */
export function findProject(start: string): FoundProject {
  const file = projectFileAbove(resolve(start));
  if (file === undefined) {
    const advice =
      "Run this in the project's folder, or pass that folder: npx pulumi-voiceplane doctor -C DIR. To create a project: " +
      "npx pulumi-voiceplane init DIR. doctor cannot read the project of a program that uses the Automation API.";
    return { finding: failure("project", `there is no Pulumi.yaml in ${resolve(start)} or above it`, advice) };
  }
  const project = readProjectFile(file);
  if (typeof project === "string") return { file, finding: failure("project", project) };
  return { file, finding: ok("project", file), project };
}

/** @param stack undefined for all stacks that have a file */
export function stackFilesOf(project: Project, stack: string | undefined): string[] {
  // The file's name has only the last part of a stack's full name, "organization/project/stack".
  const names = stack === undefined ? stackNamesIn(project) : [stack.split("/").at(-1) ?? ""];
  return names.map((name) => stackFileOf(project, name)).filter((file) => existsSync(file));
}

/**
 * The file of each stack. The default one counts only if it exists or is run: a program may declare the resources itself.
 *
 * @param stack undefined for all stacks that have a file
 */
export function organizationFilesOf(project: Project, stack: string | undefined): string[] {
  const { folder, file, program } = project;
  const stacks = stackFilesOf(project, stack);
  const byDefault = join(folder, defaultOrganizationFile);
  const paths = (stacks.length > 0 ? stacks : [file]).map((each) => {
    return resolve(folder, configuredText(project, each, "organizationFile") ?? defaultOrganizationFile);
  });
  return [...new Set(paths)].filter((path) => path !== byDefault || program.readsOrganizationFile || existsSync(path));
}

interface FileFindings {
  readonly findings: readonly Finding[];
  /** The number of problems beyond these. */
  readonly more: number;
}

/** What a program in YAML declares. @param name the file's name in the findings */
export function checkYamlProgram({ file, runtime }: Project, name: string): FileFindings {
  const text = runtime === "yaml" ? decodeUtf8(readFileSync(file)) : undefined;
  if (typeof text !== "string") return { findings: [], more: 0 };
  const { problems, more } = readYamlProgram(text);
  const findings = problems.map(({ message, line, column }) =>
    failure("organization", message, undefined, { file: name, line, column }),
  );
  return { findings, more };
}

/**
 * @param name the file's name in the findings
 * @param folder of the project
 */
export function checkOrganizationFile(path: string, name: string, folder: string, env: Environment): FileFindings {
  const failed = (message: string, place?: object) =>
    failure("organization", message, undefined, { file: name, ...place });
  const content = contentOf(path, folder, env);
  if (typeof content === "string") return { findings: [failed(`cannot be read (${content})`)], more: 0 };
  const result = readOrganizationFile(content);
  if ("organization" in result) return { findings: [ok("organization", name)], more: 0 };
  const { problems, more } = result;
  return { findings: problems.map(({ message, line, column }) => failed(message, { line, column })), more };
}
