/** All checks that need no engine and no request. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { stackFileOf, type Project } from "../engine/project.js";
import { findProject, runsOrganizationFile } from "./project.js";
import { organizationFileProblems, type Problem } from "./problem.js";
import {
  allowsInsecureHttp,
  environmentProblems,
  readStackFile,
  stackFileProblems,
  type StackFile,
} from "./stack-settings.js";

export interface Validation {
  /** The files that were read. */
  readonly checked: readonly string[];
  readonly problems: readonly Problem[];
  /** The number of problems beyond these. */
  readonly more: number;
  /** What was not checked, because only the engine knows it. */
  readonly unchecked: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const defaultFile = "organization.yaml";

/**
 * @param target an organization file, a folder with one, or a folder in a Pulumi project
 * @param stack undefined for all stacks that have a file
 * @param cwd file names are relative to it
 */
export function validate(target: string, stack: string | undefined, env: Environment, cwd: string): Validation {
  const nameOf = (path: string): string => {
    const short = relative(cwd, path);
    return short === "" || short.startsWith("..") ? path : short;
  };
  if (!statSync(target).isDirectory()) return validated([target], [], env, nameOf);
  const { finding, file, project } = findProject(target);
  if (file === undefined) return validated([join(target, defaultFile)], [], env, nameOf);
  if (!project) return { checked: [nameOf(file)], problems: [{ message: finding.message }], more: 0, unchecked: [] };
  const [projectFile, stacks] = settingsOf(project, stack, nameOf);
  return validated(organizationFiles(project, projectFile, stacks), [projectFile, ...stacks], env, nameOf);
}

/** @param stack undefined for all stacks that have a file */
export function organizationFilesOf(project: Project, stack: string | undefined): string[] {
  const [projectFile, stacks] = settingsOf(project, stack, (path) => path);
  return organizationFiles(project, projectFile, stacks);
}

function settingsOf(
  project: Project,
  stack: string | undefined,
  nameOf: (path: string) => string,
): [projectFile: StackFile, stacks: StackFile[]] {
  const read = (path: string): StackFile => readStackFile(path, nameOf(path));
  return [read(project.file), stackFilesOf(project, stack).map(read)];
}

function validated(
  organizationFiles: readonly string[],
  settings: readonly StackFile[],
  env: Environment,
  nameOf: (path: string) => string,
): Validation {
  const insecure = settings.some(({ values }) => allowsInsecureHttp(values));
  const ofFiles = organizationFiles.map((path) => organizationFileProblems(path, nameOf(path)));
  const problems = [
    ...ofFiles.flatMap((each) => each.problems),
    ...settings.flatMap(stackFileProblems),
    ...environmentProblems(env, insecure),
  ];
  const checked = [...organizationFiles.map(nameOf), ...settings.map(({ name }) => name)];
  const more = ofFiles.reduce((sum, each) => sum + each.more, 0);
  return { checked, problems, more, unchecked: settings.flatMap(uncheckedOf) };
}

function uncheckedOf({ name, values, imports }: StackFile): string[] {
  const secrets = [...values].flatMap(([key, { secret }]) => (secret ? [`voiceplane:${key}`] : []));
  return [
    ...(secrets.length > 0 ? [`${secrets.join(", ")} of ${name}: encrypted`] : []),
    ...(imports ? [`what the environments of ${name} add`] : []),
  ];
}

function stackFilesOf(project: Project, stack: string | undefined): string[] {
  const { stackFolder } = project;
  // The folder in Pulumi.yaml exists only after the first stack was configured.
  const files = existsSync(stackFolder) ? readdirSync(stackFolder).sort() : [];
  const names = files.flatMap((file) => /^Pulumi\.(.+)\.\w+$/.exec(file)?.[1] ?? []);
  // The file's name has only the last part of a stack's full name, "organization/project/stack".
  const wanted = stack === undefined ? names : [stack.split("/").at(-1) ?? ""];
  return [...new Set(wanted)].map((name) => stackFileOf(project, name)).filter((file) => existsSync(file));
}

/** The file of each stack. The default one counts only if it exists or is run: a program may declare the resources itself. */
function organizationFiles(project: Project, projectFile: StackFile, stacks: readonly StackFile[]): string[] {
  const named = (file: StackFile) => file.values.get("organizationFile")?.text;
  const files = (stacks.length > 0 ? stacks : [projectFile]).map((file) => named(file) ?? named(projectFile));
  const byDefault = join(project.folder, defaultFile);
  const paths = files.map((file) => (file === undefined ? byDefault : resolve(project.folder, file)));
  return [...new Set(paths)].filter((path) => path !== byDefault || runsOrganizationFile(project) || existsSync(path));
}
