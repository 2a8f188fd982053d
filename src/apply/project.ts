/** The project and the stack that a run is for, read as the CLI reads them, and what is wrong with them. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { parse } from "yaml";
import { isObject } from "../client/answer.js";
import { backendUrl, fileBackend, type FileBackend } from "./backend.js";
import type { Environment } from "./environment.js";

export interface StackProject {
  readonly folder: string;
  readonly name: string;
  /** As it was given, which may be "organization/project/stack". */
  readonly stack: string;
  /** The same for each spelling of the stack's name: locks and records are kept by it. */
  readonly key: string;
  /** Pulumi.yaml, as it was read. */
  readonly document: unknown;
  /** Where the program and its dynamic providers run. */
  readonly programFolder: string;
  /** Where the program's file is, behind links: Node looks for its packages there. */
  readonly codeFolder: string;
  /** Where lock files can be. */
  readonly installFolders: readonly string[];
  /** Files whose content decides what the run does; some may be absent, and must stay so. */
  readonly files: readonly string[];
  /** Relative to the folder; undefined if the configuration does not tell. */
  readonly organizationFile: string | undefined;
  /** Whether the program is another one than the package's own. */
  readonly isOwnCode: boolean;
  /** Whether the stack's configuration imports environments of Pulumi ESC. */
  readonly importsEnvironments: boolean;
  /** The organization's name, where the configuration has it. */
  readonly account: string | undefined;
  /** Undefined for other backends. */
  readonly backend: FileBackend | undefined;
}

/** All problems at once, each one sentence. */
export type ProjectResult = { readonly project: StackProject } | { readonly problems: readonly string[] };

/** In the CLI's order. */
const projectFiles = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

/** Keys of Pulumi.yaml beside which nothing decides what a run does. Others are plugins, options of the engine, YAML's merge keys. */
const projectKeys = new Set([
  ...["name", "description", "author", "website", "license", "template"],
  ...["runtime", "main", "config", "stackConfigDir", "backend"],
]);
const stackKeys = new Set(["encryptionsalt", "encryptedkey", "secretsprovider", "config", "environment"]);

export function readProject(folder: string, stack: string, env: Environment): ProjectResult {
  const short = stack.split("/").at(-1) ?? "";
  const stackProblem = /^(?:(?!\.\.?\/)[\w.-]+\/){0,2}(?!\.\.?$)[\w.-]{1,100}$/.test(stack)
    ? undefined
    : `${JSON.stringify(stack)} cannot be a stack's name: letters, digits, "-", "_" and "." can`;
  const file = projectFiles.map((name) => join(folder, name)).find(isFile);
  const document = file === undefined ? undefined : documentIn(file);
  const name = isObject(document) && typeof document.name === "string" ? document.name : undefined;
  const projectProblem =
    file === undefined
      ? `there is no Pulumi.yaml in ${folder}`
      : name === undefined
        ? `${file} cannot be read as a Pulumi project`
        : undefined;
  if (file === undefined || name === undefined || !isObject(document)) {
    return { problems: [projectProblem, stackProblem].filter((problem) => problem !== undefined) };
  }

  // An older Pulumi.yaml has the folder in `config`.
  const stackFolder = [document.config, document.stackConfigDir].find((each) => typeof each === "string") ?? "";
  const stackFile = join(resolve(folder, stackFolder), `Pulumi.${short}${extname(file)}`);
  const url = backendUrl(document, env);
  const backend = fileBackend(url, name, short, folder, env);
  const underscored = [...(name.includes("_") ? ["project"] : []), ...(short.includes("_") ? ["stack"] : [])];
  const problems = [
    stackProblem,
    stackProblem === undefined && isFile(stackFile) && !isConfiguration(documentIn(stackFile))
      ? `${stackFile} cannot be read as the configuration of a stack`
      : undefined,
    stackProblem === undefined && !isFile(stackFile)
      ? `there is no ${stackFile}: without it, a run would encrypt the stack's secrets anew; keep the file of \`pulumi stack init\` with the project`
      : undefined,
    url === undefined ? "there is no backend: set PULUMI_BACKEND_URL, or run `pulumi login`" : undefined,
    url !== undefined && /^postgres(?:ql)?:/.test(url) && underscored.length > 0
      ? `the name of the ${underscored.join(" and the ")} has an underscore, which the Pulumi CLI cannot keep in PostgreSQL: use another name`
      : undefined,
    isTrue(env.PULUMI_SKIP_CHECKPOINTS)
      ? "PULUMI_SKIP_CHECKPOINTS is set: the state would know nothing of a run that dies, and its rotations would be repeated; unset it"
      : undefined,
    stackProblem === undefined && backend?.exists() === false
      ? `the backend has no stack ${short} of the project ${name}: run \`pulumi stack init ${short}\``
      : undefined,
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return { problems };

  const stackDocument = documentIn(stackFile);
  const program = programOf(folder, document);
  const configured = (key: string) => configuredText(stackDocument, key, name) ?? configuredText(document, key, name);
  const organizationFile = configured("organizationFile") ?? { text: "organization.yaml" };
  const account = configured("account")?.text;
  return {
    project: {
      folder,
      name,
      stack,
      // The only account of backends other than Pulumi Cloud. There, the CLI alone knows which account a short name means.
      key: stack === `organization/${name}/${short}` ? short : stack,
      document,
      programFolder: program.folder,
      codeFolder: program.codeFolder,
      installFolders: [...new Set([program.folder, folder, ...above(program.folder)])],
      files: [
        ...projectFiles.map((each) => join(folder, each)).filter((each) => each === file || isFile(each)),
        stackFile,
        ...(organizationFile.text === undefined ? [] : [resolve(folder, organizationFile.text)]),
        ...program.files,
      ],
      organizationFile: organizationFile.text,
      isOwnCode:
        !program.isPackages ||
        organizationFile.text === undefined ||
        !hasOnly(document, projectKeys) ||
        !hasOnly(stackDocument, stackKeys),
      importsEnvironments: isObject(stackDocument) && stackDocument.environment !== undefined,
      account,
      backend,
    },
  };
}

/** As the CLI reads its variables. */
const isTrue = (text = ""): boolean => text === "1" || text.toLowerCase() === "true";

/** An empty file is one. */
const isConfiguration = (document: unknown): boolean => document === null || isObject(document);

/** Where a workspace may have its lock file. */
function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...above(parent)];
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function documentIn(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/** The text of a configuration value; `text` is undefined where it is a secret or no text. */
function configuredText(
  document: unknown,
  key: string,
  project: string,
): { readonly text: string | undefined } | undefined {
  const config = isObject(document) && isObject(document.config) ? document.config : {};
  // A key without a namespace belongs to the project.
  const names = [`voiceplane:${key}`, ...(project === "voiceplane" ? [key] : [])];
  const name = names.find((each) => Object.hasOwn(config, each));
  if (name === undefined) return undefined;
  const value = config[name];
  const plain = isObject(value) ? (value.value ?? value.default) : value;
  return { text: typeof plain === "string" ? plain : undefined };
}

/** Also true for what is no mapping. */
const hasOnly = (document: unknown, keys: ReadonlySet<string>): boolean =>
  !isObject(document) || Object.keys(document).every((key) => keys.has(key));

const runtimeKeys = new Set(["name", "options"]);
const nodeOptions = new Set(["typescript", "packagemanager"]);

/** Whether nothing else than the program decides what Node runs, such as a file that is loaded before it. */
function isPlainNode(runtime: unknown): boolean {
  const { name, options } = isObject(runtime) ? runtime : { name: runtime };
  return name === "nodejs" && hasOnly(runtime, runtimeKeys) && hasOnly(options, nodeOptions);
}

interface Program {
  readonly folder: string;
  /** Where its file is, behind links: Node looks for its packages there. */
  readonly codeFolder: string;
  readonly files: readonly string[];
  /** Whether it is the package's own program, which reads the organization file alone. */
  readonly isPackages: boolean;
}

/** Comments and white space. */
const trivia = /(?:\s|\/\/.*(?:[\n\r\u2028\u2029]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.source;

/** The text of the package's own program, in the ways to write it. */
const packageProgram = new RegExp(
  [
    /^\uFEFF?/,
    /(?:["']use strict["'];?TRIVIA)?/,
    /(?:module\.exports\s*=\s*require\(["']pulumi-voiceplane\/stack["']\)|export\s*\*\s*from\s*["']pulumi-voiceplane\/stack["'])/,
    /\s*;?/,
    /$/,
  ]
    .map(({ source }) => source.replace("TRIVIA", trivia))
    .join(trivia),
);

function programOf(folder: string, document: Record<string, unknown>): Program {
  const isNamed = typeof document.main === "string" && document.main !== "";
  const main = isNamed ? resolve(folder, String(document.main)) : folder;
  const mainIsFile = isFile(main);
  const programFolder = mainIsFile ? dirname(main) : main;
  const manifest = manifestAbove(programFolder);
  // Of a folder that Pulumi.yaml names, Node reads the folder's own package.json alone.
  const isEntry = !isNamed || dirname(manifest.file) === programFolder;
  const named = isEntry && manifest.main !== undefined ? [resolve(dirname(manifest.file), manifest.main)] : [];
  const indexes = existsSync(programFolder)
    ? readdirSync(programFolder)
        .filter((name) => /^index\.[cm]?[jt]sx?(?:on)?$/.test(name))
        .map((name) => join(programFolder, name))
    : [];
  const entries = mainIsFile ? [main] : named.length > 0 ? named : indexes;
  const [entry = ""] = entries;
  const text = entries.length === 1 && isFile(entry) ? readFileSync(entry, "utf8") : "";
  const codeFolder = existsSync(entry) ? dirname(realpathSync(entry)) : programFolder;
  const manifestOfCode = manifestAbove(codeFolder);
  const tsconfig = join(programFolder, "tsconfig.json");
  return {
    folder: programFolder,
    codeFolder,
    files: [
      ...new Set([manifest.file, join(programFolder, "package.json"), manifestOfCode.file]),
      ...entries,
      ...(mainIsFile ? [] : indexes),
      tsconfig,
    ],
    isPackages:
      isPlainNode(document.runtime) &&
      manifest.isPlain &&
      manifestOfCode.isPlain &&
      isPlainTsconfig(tsconfig) &&
      packageProgram.test(text),
  };
}

interface Manifest {
  readonly file: string;
  readonly main: string | undefined;
  /** Whether nothing in it leads to another program, or to another package of this one's name. */
  readonly isPlain: boolean;
}

/** The nearest package.json, as Node and Pulumi's host look for it. */
function manifestAbove(folder: string): Manifest {
  const file = join(folder, "package.json");
  // Pulumi's host reads this one too.
  if (existsSync(join(folder, "package.yaml"))) return { file, main: undefined, isPlain: false };
  if (isFile(file)) {
    const manifest = documentIn(file);
    if (!isObject(manifest)) return { file, main: undefined, isPlain: false };
    const { main, exports, imports, name } = manifest;
    return {
      file,
      main: typeof main === "string" && main !== "" ? main : undefined,
      isPlain: exports === undefined && imports === undefined && name !== "pulumi-voiceplane",
    };
  }
  if (dirname(folder) !== folder) return manifestAbove(dirname(folder));
  return { file, main: undefined, isPlain: true };
}

/** ts-node loads what the file, or one that it extends, names. The file may have comments and escapes, so its text is searched. */
const isPlainTsconfig = (file: string): boolean =>
  !existsSync(file) || !/extends|ts-node|\\u/.test(readFileSync(file, "utf8"));
