/** The checks of `voiceplane validate`: those of `voiceplane doctor` that need no engine and no request, for all stacks. */
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { defaultOrganizationFile } from "../engine/project.js";
import type { Validation } from "./finding.js";
import { checkOrganizationFile, findProject, organizationFilesOf, stackFilesOf } from "./project.js";
import {
  allowsInsecureHttp,
  checkEnvironment,
  checkStackFile,
  readStackFile,
  type StackFile,
} from "./stack-settings.js";

/**
 * @param target an organization file, a folder with one, or a folder in a Pulumi project
 * @param stack undefined for all stacks that have a file
 * @param cwd file names are relative to it
 */
export function validate(target: string, stack: string | undefined, env: NodeJS.ProcessEnv, cwd: string): Validation {
  const nameOf = (path: string): string => {
    const short = relative(cwd, path);
    return short === "" || short.startsWith("..") ? path : short;
  };
  const found = statSync(target).isDirectory() ? findProject(target) : undefined;
  if (found?.file !== undefined && !found.project) {
    return { checked: [nameOf(found.file)], findings: [found.finding], more: 0, unchecked: [] };
  }
  const project = found?.project;
  const organizationFiles = project
    ? organizationFilesOf(project, stack)
    : [found ? join(target, defaultOrganizationFile) : target];
  const settingsFiles = project ? [project.file, ...stackFilesOf(project, stack)] : [];
  const settings = settingsFiles.map((path) => readStackFile(path, nameOf(path)));
  const ofFiles = organizationFiles.map((path) => checkOrganizationFile(path, nameOf(path)));
  return {
    checked: [...organizationFiles, ...settingsFiles].map(nameOf),
    findings: [
      ...ofFiles.flatMap(({ findings }) => findings),
      ...settings.flatMap(checkStackFile),
      ...checkEnvironment(env, settings.some(allowsInsecureHttp)),
    ],
    more: ofFiles.reduce((sum, each) => sum + each.more, 0),
    unchecked: settings.flatMap(uncheckedOf),
  };
}

function uncheckedOf({ name, values, imports }: StackFile): string[] {
  const secrets = [...values].flatMap(([key, { secret }]) => (secret ? [`voiceplane:${key}`] : []));
  return [
    ...(secrets.length > 0 ? [`${secrets.join(", ")} of ${name}: encrypted`] : []),
    ...(imports ? [`what the environments of ${name} add`] : []),
  ];
}
