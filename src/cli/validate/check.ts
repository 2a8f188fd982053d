/** Everything that can be found wrong without an engine and without a request. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { findProject, type Project } from "../doctor/project.js";
import { byPlace, organizationFileProblems, type Problem } from "./problem.js";
import {
  allowsInsecureHttp,
  environmentProblems,
  readStackFile,
  stackFileProblems,
  type StackFile,
} from "./settings.js";

export interface Validation {
  /** Files that were read, as the user would write them. */
  readonly checked: readonly string[];
  readonly problems: readonly Problem[];
  /** What only the engine or the server could tell, one sentence each. */
  readonly unchecked: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const defaultFile = "organization.yaml";

/**
 * @param target an organization file, a folder with one, or a folder in a Pulumi project
 * @param stack the one stack whose settings are looked at; undefined for all that have a file
 * @param cwd what files are named relative to
 */
export function validate(target: string, stack: string | undefined, env: Environment, cwd: string): Validation {
  const nameOf = (path: string): string => {
    const short = relative(cwd, path);
    return short === "" || short.startsWith("..") ? path : short;
  };
  if (!statSync(target).isDirectory()) return validated([target], [], env, nameOf);
  const { finding, file, project } = findProject(target);
  if (file === undefined) return validated([join(target, defaultFile)], [], env, nameOf);
  if (!project) return { checked: [nameOf(file)], problems: [{ message: finding.message }], unchecked: [] };
  const [projectFile, stacks] = settingsOf(project, stack, nameOf);
  return validated(organizationFiles(project, projectFile, stacks), [projectFile, ...stacks], env, nameOf);
}

/** Paths of the organization files of a stack; undefined for those of all stacks that have a file. */
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
  const problems = [
    ...organizationFiles.flatMap((path) => organizationFileProblems(path, nameOf(path)).sort(byPlace)),
    ...settings.flatMap(stackFileProblems),
    ...environmentProblems(env, insecure),
  ];
  const checked = [...organizationFiles.map(nameOf), ...settings.map(({ name }) => name)];
  return { checked, problems, unchecked: settings.flatMap(uncheckedOf) };
}

function uncheckedOf({ name, values, imports }: StackFile): string[] {
  const secrets = [...values].flatMap(([key, { secret }]) => (secret ? [`voiceplane:${key}`] : []));
  return [
    ...(secrets.length > 0 ? [`${secrets.join(", ")} of ${name}: encrypted`] : []),
    ...(imports ? [`what the environments of ${name} add`] : []),
  ];
}

/** Those of the stack that is asked for, or all. */
function stackFilesOf({ stackFolder }: Project, stack: string | undefined): string[] {
  // A stack's full name, "organization/project/stack", is not in its file's.
  const wanted = stack?.split("/").at(-1);
  // The folder that Pulumi.yaml names is made with the first stack's file.
  const files = existsSync(stackFolder) ? readdirSync(stackFolder) : [];
  return files
    .filter((file) => {
      const name = /^Pulumi\.(.+)\.(ya?ml|json)$/.exec(file)?.[1];
      return name !== undefined && (wanted === undefined || name === wanted);
    })
    .sort()
    .map((file) => join(stackFolder, file));
}

/** The file of each stack; the default one only where it exists or is run, since a program may declare all by itself. */
function organizationFiles(project: Project, projectFile: StackFile, stacks: readonly StackFile[]): string[] {
  const named = (file: StackFile) => file.values.get("organizationFile")?.text;
  const files = (stacks.length > 0 ? stacks : [projectFile]).map((file) => named(file) ?? named(projectFile));
  const byDefault = join(project.folder, defaultFile);
  const paths = files.map((file) => (file === undefined ? byDefault : resolve(project.folder, file)));
  return [...new Set(paths)].filter((path) => path !== byDefault || project.runsOrganizationFile || existsSync(path));
}
