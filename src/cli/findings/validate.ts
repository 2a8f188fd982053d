/** The checks of `voiceplane validate`, which need no engine and no request. `voiceplane doctor` has them too, for one stack. */
import { statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Environment } from "../../values/environment.js";
import { type Configuration, namespace, readConfiguration } from "../pulumi/configuration.js";
import { stackNamesIn, type Project } from "../pulumi/project.js";
import { defaultOrganizationFile } from "../../organization-file/document.js";
import { failure, ok, type Finding, type Validation } from "./finding.js";
import { checkOrganizationFile, checkYamlProgram, findProject, organizationFilesOf, stackFilesOf } from "./project.js";
import { allowsInsecureHttp, checkEnvironment, checkStackFile } from "./stack-settings.js";

interface Scope {
  /** Undefined for all stacks that have a file. */
  readonly stack?: string | undefined;
  readonly env: Environment;
  /** File names are relative to it. */
  readonly cwd: string;
  /** Whether the stack's configuration allows plain http, which an environment of Pulumi ESC may do as well. */
  readonly allowInsecureHttp?: boolean;
}

/** @param target an organization file, a folder with one, or a folder in a Pulumi project */
export function validate(target: string, scope: Scope): Validation {
  const found = statSync(target).isDirectory() ? findProject(target) : undefined;
  if (found?.file !== undefined && !found.project) {
    return { checked: [nameIn(scope.cwd, found.file)], findings: [found.finding], more: 0, unchecked: [] };
  }
  if (found?.project) {
    const validation = checkProject(found.project, scope);
    return { ...validation, findings: [...validation.findings, ...missingStack(found.project, scope.stack)] };
  }
  const file = found ? join(target, defaultOrganizationFile) : target;
  return checkAll(dirname(file), [file], [], scope);
}

function missingStack(project: Project, stack: string | undefined): Finding[] {
  if (stack === undefined || stackFilesOf(project, stack).length > 0) return [];
  const names = stackNamesIn(project).join(", ");
  return [
    failure(
      "settings",
      `the stack ${stack} has no file; the project has ${names === "" ? "none" : `files of ${names}`}`,
    ),
  ];
}

export function checkProject(project: Project, scope: Scope): Validation {
  const { stack } = scope;
  const files = organizationFilesOf(project, stack);
  const validation = checkAll(project.folder, files, [project.file, ...stackFilesOf(project, stack)], scope);
  const { findings, more } = checkYamlProgram(project, nameIn(scope.cwd, project.file));
  return { ...validation, findings: [...findings, ...validation.findings], more: validation.more + more };
}

function checkAll(
  folder: string,
  organizationFiles: readonly string[],
  settingsFiles: readonly string[],
  { env, cwd, allowInsecureHttp = false }: Scope,
): Validation {
  const settings = settingsFiles.map((path) => readConfiguration(path));
  const organizations = organizationFiles.map((path) => checkOrganizationFile(path, nameIn(cwd, path), folder, env));
  return {
    checked: [...organizationFiles, ...settingsFiles].map((path) => nameIn(cwd, path)),
    findings: [
      ...(organizations.length === 0
        ? [ok("organization", "no organization file: the program declares the resources itself")]
        : organizations.flatMap(({ findings }) => findings)),
      ...settings.flatMap((file) => checkStackFile(file, nameIn(cwd, file.path), allowInsecureHttp)),
      ...checkEnvironment(env, allowInsecureHttp || settings.some(allowsInsecureHttp)),
    ],
    more: organizations.reduce((sum, each) => sum + each.more, 0),
    unchecked: settings.flatMap((file) => uncheckedOf(file, nameIn(cwd, file.path))),
  };
}

function nameIn(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}

function uncheckedOf({ values, imports }: Configuration, name: string): string[] {
  const secrets = [...values].flatMap(([key, { secret }]) => (secret && key.startsWith(namespace) ? [key] : []));
  return [
    ...(secrets.length > 0 ? [`${secrets.join(", ")} of ${name}: encrypted`] : []),
    ...(imports ? [`what the environments of ${name} add`] : []),
  ];
}
