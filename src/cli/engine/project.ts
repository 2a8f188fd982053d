/** Reads the project and the stack of a run as the CLI does, and finds their problems. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { isObject, tried } from "../../values/any.js";
import { type Environment, secretsOf, skipsCheckpoints } from "../../values/environment.js";
import { backendUrl, backendUrls, fileBackend, type FileBackend } from "./backend.js";
import { namespace, readConfiguration } from "./configuration.js";
import { defaultOrganizationFile } from "../../organization-file/document.js";
import { documentIn, isFile } from "./files.js";
import { isCloud } from "./cloud.js";
import { cutOffText, lostStack, shortName } from "./lost-state.js";
import { programOf, type Program, type ProjectDocument } from "./program.js";

/** A project without one of its stacks. */
export interface Project {
  /** Pulumi.yaml, or the file that the CLI takes instead. */
  readonly file: string;
  readonly folder: string;
  readonly name: string;
  readonly document: ProjectDocument;
  /** Such as "nodejs", "yaml" or "python". */
  readonly runtime: string;
  /** The folder of the stacks' configuration files. */
  readonly stackFolder: string;
  readonly program: Program;
}

export interface StackProject extends Project {
  /** As given, which may be "organization/project/stack". */
  readonly stack: string;
  /** The files in which settings are declared: of the project, the stack, the program, and the organization. */
  readonly files: readonly string[];
  /** Whether the stack's configuration imports environments of Pulumi ESC. */
  readonly importsEnvironments: boolean;
  /** The organization's name, if it is in the configuration. */
  readonly organization: string | undefined;
  readonly backendUrl: string;
  /** Undefined for other backends than `file://`. */
  readonly backend: FileBackend | undefined;
  /** The stack's own file if it is missing. */
  readonly missingFile: string | undefined;
}

/** All problems at once, each one sentence. */
export type ProjectResult = { readonly project: StackProject } | { readonly problems: readonly string[] };

/** In the CLI's order. */
const projectFiles = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

function projectFileIn(folder: string): string | undefined {
  return projectFiles.map((name) => join(folder, name)).find(isFile);
}

/** In this folder, or in the nearest one above it. */
export function projectFileAbove(folder: string): string | undefined {
  const found = projectFileIn(folder);
  if (found !== undefined || dirname(folder) === folder) return found;
  return projectFileAbove(dirname(folder));
}

/** @returns the problem as a text */
export function readProjectFile(file: string): Project | string {
  const document = documentIn(file);
  if (!isObject(document) || typeof document.name !== "string") return `${file} cannot be read as a Pulumi project`;
  const { name } = document;
  const runtime = isObject(document.runtime) ? document.runtime.name : document.runtime;
  if (typeof runtime !== "string" || runtime === "") return `${file} has no runtime, such as nodejs or yaml`;
  // An older Pulumi.yaml has the folder in `config`.
  const stackFolders = [document.config, document.stackConfigDir].filter((each) => typeof each === "string");
  if (stackFolders.length > 1) {
    return `${file} names the folder of the stacks in config and in stackConfigDir: keep stackConfigDir`;
  }
  const folder = dirname(file);
  const stackFolder = join(folder, ...stackFolders);
  return { file, folder, name, document, runtime, stackFolder, program: programOf(file, document, runtime) };
}

/** Of the folder or the nearest one above it; undefined if it cannot be read. */
export function projectAbove(folder: string): Project | undefined {
  const file = projectFileAbove(folder);
  const project = file === undefined ? undefined : readProjectFile(file);
  return typeof project === "string" ? undefined : project;
}

/** The secrets that no text may contain: of the environment, of `pulumi login`, and of the backend of the project that this folder is in. */
export function secretsIn(folder: string, env: Environment): string[] {
  return secretsOf(env, ...backendUrls(tried(() => projectAbove(folder))?.document, env));
}

/** The file of a stack, by the last part of its name. */
export function stackFileOf({ file, stackFolder }: Project, stack: string): string {
  return join(stackFolder, `Pulumi.${stack}${extname(file)}`);
}

/** The stacks that have a file. */
export function stackNamesIn({ stackFolder }: Project): string[] {
  // The folder in Pulumi.yaml exists only after the first stack was configured.
  const files = existsSync(stackFolder) ? readdirSync(stackFolder).sort() : [];
  return [...new Set(files.flatMap((file) => /^Pulumi\.(.+)\.\w+$/.exec(file)?.[1] ?? []))];
}

/**
 * Why the CLI cannot read a state that is or was in files, each with its cure.
 *
 * @param stack undefined for all stacks that have a file
 */
export function stateFaults(project: Project, stack: string | undefined, env: Environment): string[] {
  const url = backendUrl(project.document, env);
  const faults = (stack === undefined ? stackNamesIn(project) : [stack]).flatMap((name) => {
    const backend = fileBackend(url, project.name, shortName(name), project.folder, env);
    if (!backend) return [];
    // If no stack was named, a record may belong to another backend.
    const isLost = backend.file() === undefined && (stack !== undefined || backend.backup() !== undefined);
    const lost = isLost ? lostStack(project, name, env) : undefined;
    return [...backend.unreadable().map(cutOffText), ...(lost === undefined ? [] : [lost])];
  });
  return [...new Set(faults)];
}

/** A text of the configuration; undefined if it is a secret or not a text. A stack's file overrides Pulumi.yaml. */
export function configuredText({ name, file }: Project, stackFile: string, key: string): string | undefined {
  // A key without a namespace belongs to the project.
  const names = [`${namespace}${key}`, ...(name === "voiceplane" ? [key] : [])];
  const values = [stackFile, file].map((path) => readConfiguration(path).values);
  return values.flatMap((each) => names.flatMap((one) => each.get(one) ?? []))[0]?.text;
}

/** @param why the CLI knows no backend either */
export function readProject(folder: string, stack: string, env: Environment, why?: string): ProjectResult {
  const file = projectFileIn(folder);
  const read = file === undefined ? `there is no Pulumi.yaml in ${folder}` : readProjectFile(file);
  const nameProblems = isStackName(stack)
    ? []
    : [`${JSON.stringify(stack)} is not a valid stack name: use letters, digits, "-", "_" and "."`];
  if (typeof read === "string") return { problems: [read, ...nameProblems] };

  const { name, program } = read;
  const short = shortName(stack);
  const stackFile = stackFileOf(read, short);
  const url = backendUrl(read.document, env);
  const backend = fileBackend(url, name, short, folder, env);
  const faults = nameProblems.length === 0 ? stateFaults(read, stack, env) : [];
  const isUnknown = nameProblems.length + faults.length === 0 && backend !== undefined && backend.file() === undefined;
  const problems = [
    ...nameProblems,
    ...(nameProblems.length === 0 ? stackFileProblems(stackFile, url) : []),
    ...backendProblems(url, name, short, why),
    ...(skipsCheckpoints(env)
      ? ["PULUMI_SKIP_CHECKPOINTS is set: if the run died, the state would have none of its results; unset it"]
      : []),
    ...faults,
    ...(isUnknown
      ? [`the backend has no stack ${short} of the project ${name}: run \`pulumi stack init ${short}\``]
      : []),
  ];
  if (problems.length > 0 || url === undefined) return { problems };

  const organizationFile = configuredText(read, stackFile, "organizationFile") ?? defaultOrganizationFile;
  return {
    project: {
      ...read,
      stack,
      files: [read.file, stackFile, resolve(folder, organizationFile), ...program.entries],
      importsEnvironments: readConfiguration(stackFile).imports,
      organization: configuredText(read, stackFile, "account"),
      backendUrl: url,
      missingFile: isFile(stackFile) ? undefined : stackFile,
      backend,
    },
  };
}

/** Also "organization/stack" and "organization/project/stack". */
const isStackName = (text: string): boolean => /^(?:(?!\.\.?\/)[\w.-]+\/){0,2}(?!\.\.?$)[\w.-]{1,100}$/.test(text);

/** Why no stack may be run without its file, unless its secrets are encrypted by Pulumi Cloud. */
export const missingStackFile = (file: string): string =>
  `there is no ${file}: without it, a run would encrypt the stack's secrets with a new key; keep the file of \`pulumi stack init\` with the project`;

function stackFileProblems(file: string, url = ""): string[] {
  // With the service's own key, `pulumi stack init` writes none.
  if (!isFile(file)) return isCloud(url) ? [] : [missingStackFile(file)];
  const document = documentIn(file);
  // An empty file is null.
  const isConfiguration = document === null || isObject(document);
  return isConfiguration ? [] : [`${file} cannot be read as the configuration of a stack`];
}

function backendProblems(url: string | undefined, project: string, stack: string, why?: string): string[] {
  const said = why === undefined ? "" : ` (${why})`;
  if (url === undefined) return [`there is no backend${said}: set PULUMI_BACKEND_URL, or run \`pulumi login\``];
  const underscored = [...(project.includes("_") ? ["project"] : []), ...(stack.includes("_") ? ["stack"] : [])];
  if (underscored.length === 0 || !/^postgres(?:ql)?:/.test(url)) return [];
  return [
    `the name of the ${underscored.join(" and the ")} has an underscore, which the Pulumi CLI cannot keep in PostgreSQL: use another name`,
  ];
}
