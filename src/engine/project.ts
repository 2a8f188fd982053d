/** Reads the project and the stack of a run as the CLI does, and finds their problems. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { type Environment, isObject, skipsCheckpoints } from "../values.js";
import { backendUrl, fileBackend, type FileBackend } from "./backend.js";
import { defaultOrganizationFile } from "../organization-file/document.js";
import { documentIn, isFile } from "./files.js";
import { hasOnly, programOf, type Program, type ProjectDocument } from "./program.js";

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
  /** The same for each spelling of the stack's name: the key of locks and records. */
  readonly key: string;
  /** Where lock files can be. */
  readonly installFolders: readonly string[];
  /** Files whose content decides what the run does; some may be absent, and must stay so. */
  readonly files: readonly string[];
  /** Relative to the folder; undefined if the configuration does not say it in plain text. */
  readonly organizationFile: string | undefined;
  /** Whether the program may read more than these files. */
  readonly isOwnCode: boolean;
  /** Whether the stack's configuration imports environments of Pulumi ESC. */
  readonly importsEnvironments: boolean;
  /** The organization's name, if it is in the configuration. */
  readonly organization: string | undefined;
  readonly backendUrl: string;
  /** Undefined for other backends than `file://`. */
  readonly backend: FileBackend | undefined;
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

/** A configuration value; `text` is undefined if it is a secret or not a text. */
interface ConfiguredText {
  readonly text: string | undefined;
}

/** @param stackFile which overrides Pulumi.yaml */
export function configuredText(project: Project, stackFile: string, key: string): ConfiguredText | undefined {
  return textIn(documentIn(stackFile), key, project.name) ?? textIn(project.document, key, project.name);
}

function textIn(document: unknown, key: string, project: string): ConfiguredText | undefined {
  const config = isObject(document) && isObject(document.config) ? document.config : {};
  // A key without a namespace belongs to the project.
  const names = [`voiceplane:${key}`, ...(project === "voiceplane" ? [key] : [])];
  const name = names.find((each) => Object.hasOwn(config, each));
  if (name === undefined) return undefined;
  const value = config[name];
  const plain = isObject(value) ? (value.value ?? value.default) : value;
  return { text: typeof plain === "string" ? plain : undefined };
}

export function readProject(folder: string, stack: string, env: Environment): ProjectResult {
  const file = projectFileIn(folder);
  const read = file === undefined ? `there is no Pulumi.yaml in ${folder}` : readProjectFile(file);
  const nameProblems = isStackName(stack)
    ? []
    : [`${JSON.stringify(stack)} is not a valid stack name: use letters, digits, "-", "_" and "."`];
  if (typeof read === "string") return { problems: [read, ...nameProblems] };

  const { name, program } = read;
  const short = stack.split("/").at(-1) ?? "";
  const stackFile = stackFileOf(read, short);
  const url = backendUrl(read.document, env);
  const backend = fileBackend(url, name, short, folder, env);
  const isUnknown = nameProblems.length === 0 && backend?.exists() === false;
  const problems = [
    ...nameProblems,
    ...(nameProblems.length === 0 ? stackFileProblems(stackFile) : []),
    ...backendProblems(url, name, short),
    ...(skipsCheckpoints(env)
      ? [
          "PULUMI_SKIP_CHECKPOINTS is set: if the run died, the state would have none of its results; unset it, or use --skip-checkpoints for a run that rotates nothing",
        ]
      : []),
    ...(isUnknown
      ? [`the backend has no stack ${short} of the project ${name}: run \`pulumi stack init ${short}\``]
      : []),
  ];
  if (problems.length > 0 || url === undefined) return { problems };

  const stackDocument = documentIn(stackFile);
  const configuredFile = configuredText(read, stackFile, "organizationFile");
  const organizationFile = configuredFile ? configuredFile.text : defaultOrganizationFile;
  return {
    project: {
      ...read,
      stack,
      // The only account of backends other than Pulumi Cloud. There, the CLI alone knows which account a short name means.
      key: stack === `organization/${name}/${short}` ? short : stack,
      installFolders: [...new Set([program.folder, folder, ...above(program.folder)])],
      files: [
        ...projectFiles.map((each) => join(folder, each)).filter((each) => each === read.file || isFile(each)),
        stackFile,
        ...(organizationFile === undefined ? [] : [resolve(folder, organizationFile)]),
        ...program.files,
      ],
      organizationFile,
      isOwnCode: !program.isPlain || organizationFile === undefined || !hasOnly(stackDocument, stackKeys),
      importsEnvironments: isObject(stackDocument) && stackDocument.environment !== undefined,
      organization: configuredText(read, stackFile, "account")?.text,
      backendUrl: url,
      backend,
    },
  };
}

const stackKeys = ["encryptionsalt", "encryptedkey", "secretsprovider", "config", "environment"];

/** Also "organization/stack" and "organization/project/stack". */
const isStackName = (text: string): boolean => /^(?:(?!\.\.?\/)[\w.-]+\/){0,2}(?!\.\.?$)[\w.-]{1,100}$/.test(text);

function stackFileProblems(file: string): string[] {
  if (!isFile(file)) {
    return [
      `there is no ${file}: without it, a run would encrypt the stack's secrets with a new key; keep the file of \`pulumi stack init\` with the project`,
    ];
  }
  const document = documentIn(file);
  // An empty file is null.
  const isConfiguration = document === null || isObject(document);
  return isConfiguration ? [] : [`${file} cannot be read as the configuration of a stack`];
}

function backendProblems(url: string | undefined, project: string, stack: string): string[] {
  if (url === undefined) return ["there is no backend: set PULUMI_BACKEND_URL, or run `pulumi login`"];
  const underscored = [...(project.includes("_") ? ["project"] : []), ...(stack.includes("_") ? ["stack"] : [])];
  if (underscored.length === 0 || !/^postgres(?:ql)?:/.test(url)) return [];
  return [
    `the name of the ${underscored.join(" and the ")} has an underscore, which the Pulumi CLI cannot keep in PostgreSQL: use another name`,
  ];
}

/** Where a workspace may have its lock file. */
function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...above(parent)];
}
