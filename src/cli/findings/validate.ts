/** The checks of `voiceplane validate`: of organization files. They need no engine, and send no request. */
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { compact, messageOf } from "../../values/any.js";
import { inFile, problem } from "../../values/diagnostic.js";
import type { Environment } from "../../values/environment.js";
import {
  configurationOf,
  projectFileAbove,
  readProjectFile,
  stackFileOf,
  stackNamesIn,
  type Project,
} from "../pulumi/project.js";
import { contentOf, defaultOrganizationFile, isBelow } from "../../organization-file/content.js";
import { readOrganizationFile, type FileResult } from "../../organization-file/reader.js";
import { Declarations, idKey } from "../../lifecycle/object.js";
import { problemFinding, findingOf, ok, warningFinding, type Finding } from "./finding.js";
import type { NamedWebhook } from "./server.js";

interface Scope {
  /** Undefined for all stacks that have a file. */
  readonly stack?: string | undefined;
  readonly env: Environment;
  /** File names are relative to it. */
  readonly cwd: string;
}

/** @param target an organization file, a folder with one, or a folder in a Pulumi project */
export function validate(target: string, scope: Scope): Finding[] {
  const { stack } = scope;
  if (!statSync(target).isDirectory()) return checkOrganizationFile(target, dirname(target), scope);
  // With a stack, a missing project is a problem.
  const isOfProject = stack !== undefined || projectFileAbove(target) !== undefined;
  if (!isOfProject) return checkOrganizationFile(join(target, defaultOrganizationFile), target, scope);
  const { finding, project } = findProject(target);
  if (!project) return [finding];
  const findings = checkProject(project, scope);
  if (stack === undefined || stackFilesOf(project, stack).length > 0) return findings;
  const names = stackNamesIn(project).join(", ");
  const others = names === "" ? "none" : `files of ${names}`;
  return [
    ...findings,
    problemFinding("stack", "stack-file-missing", `the stack ${stack} has no file; the project has ${others}`),
  ];
}

export function findProject(folder: string): { readonly finding: Finding; readonly project?: Project } {
  const file = projectFileAbove(folder);
  if (file === undefined) {
    const advice =
      "Run this in the project's folder, or add -C DIR. To create a project: npx pulumi-voiceplane init DIR. The project of a " +
      "program that uses the Automation API cannot be read.";
    const text = `there is no Pulumi.yaml in ${folder} or above it`;
    return { finding: problemFinding("project", "project-missing", text, advice) };
  }
  try {
    return { finding: ok("project", file), project: readProjectFile(file) };
  } catch (error) {
    return { finding: problemFinding("project", "project-unreadable", messageOf(error)) };
  }
}

export function checkProject(project: Project, scope: Scope): Finding[] {
  const organizationFiles = organizationFilesOf(project, scope.stack);
  const noFile =
    "no organization file: the program declares the resources itself, and `voiceplane preview` checks them";
  return [
    ...compact(organizationFiles.length === 0 && ok("organization", noFile)),
    ...organizationFiles.flatMap((path) => checkOrganizationFile(path, project.folder, scope)),
    ...sharedWebhooks(organizationFiles, project, scope),
  ];
}

/** @param stack undefined for all stacks that have a file */
function stackFilesOf(project: Project, stack: string | undefined): string[] {
  const names = stack === undefined ? stackNamesIn(project) : [stack];
  return names.map((name) => stackFileOf(project, name)).filter((file) => existsSync(file));
}

/** The file of each stack. The default one counts only if it exists or the program reads it: a program may declare the resources itself. */
function organizationFilesOf(project: Project, stack: string | undefined): string[] {
  const { folder, file, program } = project;
  const stackFiles = stackFilesOf(project, stack);
  // Without a stack's file, Pulumi.yaml alone has the configuration.
  const configurations = stackFiles.length > 0 ? stackFiles : [file];
  const paths = configurations.map((each) => organizationFileOf(project, each));
  const byDefault = join(folder, defaultOrganizationFile);
  return [...new Set(paths)].filter((path) => path !== byDefault || program.readsOrganizationFile || existsSync(path));
}

function organizationFileOf(project: Project, stackFile: string): string {
  const { text } = configurationOf(project, stackFile).get("voiceplane:organizationFile") ?? {};
  return resolve(project.folder, text ?? defaultOrganizationFile);
}

export const webhooksDeclared = (project: Project, stack: string, env: Environment): NamedWebhook[] =>
  organizationFilesOf(project, stack).flatMap((path) => webhooksInFile(path, project, env));

/** None if the file is wrong, or cannot be read. */
function webhooksInFile(path: string, { folder }: Project, env: Environment): NamedWebhook[] {
  const read = readOrganization(path, folder, env);
  if (!("organization" in read)) return [];
  return Object.entries(read.organization.webhooks ?? {}).map(([name, { id }]) => ({ name, id: String(id) }));
}

/** A warning for each webhook that an earlier file declares too. The files may be of two organizations that use the same ids. */
function sharedWebhooks(paths: readonly string[], project: Project, { env, cwd }: Scope): Finding[] {
  const advice =
    "If both are one organization's, each stack would rotate it, and end the secret that the other one knows.";
  const declarations = new Declarations<string>();
  const findings: Finding[] = [];
  for (const path of paths)
    for (const { name, id } of webhooksInFile(path, project, env)) {
      const fullName = `webhooks.${name} of ${nameIn(cwd, path)}`;
      const first = declarations.add(idKey(id), fullName);
      if (first === undefined) continue;
      findings.push(warningFinding("organization", "duplicate-id", `${fullName} has the same id as ${first}`, advice));
    }
  return findings;
}

function checkOrganizationFile(path: string, folder: string, { env, cwd }: Scope): Finding[] {
  const name = nameIn(cwd, path);
  const read = readOrganization(path, folder, env);
  if ("organization" in read) return [ok("organization", name)];
  return read.problems.map((each) => findingOf("organization", inFile(each, name)));
}

function readOrganization(path: string, folder: string, env: Environment): FileResult {
  const content = contentOf(path, folder, env);
  if (typeof content !== "string") return readOrganizationFile(content);
  // The problem is about the whole file: its place is a file without a line.
  return { problems: [{ ...problem("file-unreadable", `cannot be read (${content})`), place: {} }] };
}

const nameIn = (cwd: string, path: string): string => (isBelow(path, cwd) ? relative(cwd, path) : path);
