/** The project and the stack that a run is for, read as the CLI reads them, and what is wrong with them. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { parse } from "yaml";
import { isObject } from "../client/answer.js";
import { backendUrl, fileBackend, type FileBackend } from "./backend.js";
import type { Environment } from "./environment.js";

/** A project without one of its stacks. */
export interface Project {
  /** Pulumi.yaml, or what has its place. */
  readonly file: string;
  readonly folder: string;
  readonly name: string;
  /** Pulumi.yaml, as it was read. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Such as "nodejs", "yaml" or "python". */
  readonly runtime: string;
  /** Where the files of the stacks' configuration are. */
  readonly stackFolder: string;
  readonly program: Program;
}

export interface Program {
  /** Where the program and its dynamic providers run. */
  readonly folder: string;
  /** Where its file is, behind links: Node looks for its packages there. */
  readonly codeFolder: string;
  /** What the engine could run, of which it takes the first. */
  readonly entries: readonly string[];
  /** Of the first of them; empty if it is not there. */
  readonly text: string;
  /** Files that decide what it does; some may be absent, and must stay so. */
  readonly files: readonly string[];
  /** Whether it has nothing that could read more than its files: the package's own program, or YAML with resources of voiceplane alone. */
  readonly isPlain: boolean;
}

export interface StackProject extends Project {
  /** As it was given, which may be "organization/project/stack". */
  readonly stack: string;
  /** The same for each spelling of the stack's name: locks and records are kept by it. */
  readonly key: string;
  /** Where lock files can be. */
  readonly installFolders: readonly string[];
  /** Files whose content decides what the run does; some may be absent, and must stay so. */
  readonly files: readonly string[];
  /** Relative to the folder; undefined if the configuration does not tell. */
  readonly organizationFile: string | undefined;
  /** Whether the program may read more than these files. */
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

/** The project file that the CLI takes in this folder. */
function projectFileIn(folder: string): string | undefined {
  return projectFiles.map((name) => join(folder, name)).find(isFile);
}

/** The same in this folder or in the nearest one above it. */
export function projectFileAbove(folder: string): string | undefined {
  const found = projectFileIn(folder);
  if (found !== undefined || dirname(folder) === folder) return found;
  return projectFileAbove(dirname(folder));
}

/** @returns a text for what is wrong */
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
  const program = runtime === "nodejs" ? nodeProgram(folder, document) : otherProgram(file, document, runtime);
  return { file, folder, name, document, runtime, stackFolder, program };
}

/** The file of a stack, by the last part of its name. */
export function stackFileOf({ file, stackFolder }: Project, stack: string): string {
  return join(stackFolder, `Pulumi.${stack}${extname(file)}`);
}

export function readProject(folder: string, stack: string, env: Environment): ProjectResult {
  const short = stack.split("/").at(-1) ?? "";
  const stackProblem = /^(?:(?!\.\.?\/)[\w.-]+\/){0,2}(?!\.\.?$)[\w.-]{1,100}$/.test(stack)
    ? undefined
    : `${JSON.stringify(stack)} cannot be a stack's name: letters, digits, "-", "_" and "." can`;
  const file = projectFileIn(folder);
  const read = file === undefined ? `there is no Pulumi.yaml in ${folder}` : readProjectFile(file);
  if (typeof read === "string") return { problems: [read, stackProblem].filter((problem) => problem !== undefined) };

  const { name, document, program } = read;
  const stackFile = stackFileOf(read, short);
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
  const configured = (key: string) => configuredText(stackDocument, key, name) ?? configuredText(document, key, name);
  const organizationFile = configured("organizationFile") ?? { text: "organization.yaml" };
  const account = configured("account")?.text;
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
        ...(organizationFile.text === undefined ? [] : [resolve(folder, organizationFile.text)]),
        ...program.files,
      ],
      organizationFile: organizationFile.text,
      isOwnCode: !program.isPlain || organizationFile.text === undefined || !hasOnly(stackDocument, stackKeys),
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
    return parse(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file))) as unknown;
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

/** `main` is a file or a folder, and is not the project's folder by default. */
function mainOf(folder: string, { main }: Readonly<Record<string, unknown>>) {
  const isNamed = typeof main === "string" && main !== "";
  const path = isNamed ? resolve(folder, main) : folder;
  const isOfFile = isNamed && (isFile(path) || !existsSync(path));
  return { isNamed, path, isOfFile, folder: isOfFile ? dirname(path) : path };
}

function nodeProgram(folder: string, document: Readonly<Record<string, unknown>>): Program {
  const main = mainOf(folder, document);
  const manifest = manifestAbove(main.folder);
  // Of a folder that Pulumi.yaml names, Node reads the folder's own package.json alone.
  const isEntry = !main.isNamed || dirname(manifest.file) === main.folder;
  const named = isEntry && manifest.main !== undefined ? [resolve(dirname(manifest.file), manifest.main)] : [];
  const indexes = existsSync(main.folder)
    ? readdirSync(main.folder)
        .filter((name) => /^index\.[cm]?[jt]sx?(?:on)?$/.test(name))
        .map((name) => join(main.folder, name))
    : [];
  const entries = main.isOfFile ? [main.path] : named.length > 0 ? named : indexes;
  const [entry = ""] = entries;
  const text = isFile(entry) ? readFileSync(entry, "utf8") : "";
  const codeFolder = existsSync(entry) ? dirname(realpathSync(entry)) : main.folder;
  const manifestOfCode = manifestAbove(codeFolder);
  const tsconfig = join(main.folder, "tsconfig.json");
  return {
    folder: main.folder,
    codeFolder,
    entries,
    text,
    files: [
      ...new Set([manifest.file, join(main.folder, "package.json"), manifestOfCode.file]),
      ...entries,
      ...(main.isOfFile ? [] : indexes),
      tsconfig,
    ],
    isPlain:
      isPlainNode(document.runtime) &&
      hasOnly(document, projectKeys) &&
      manifest.isPlain &&
      manifestOfCode.isPlain &&
      isPlainTsconfig(tsconfig) &&
      entries.length === 1 &&
      packageProgram.test(text),
  };
}

/** What the YAML host prefers to Pulumi.yaml. */
const yamlPrograms = ["Main.json", "Main.yaml"];

function otherProgram(file: string, document: Readonly<Record<string, unknown>>, runtime: string): Program {
  const folder = dirname(file);
  const main = mainOf(folder, document);
  const others = yamlPrograms.map((name) => join(main.folder, name));
  return {
    folder: main.folder,
    codeFolder: main.folder,
    entries: [file],
    text: "",
    files: runtime === "yaml" ? others : [],
    isPlain:
      !main.isNamed &&
      basename(file) === "Pulumi.yaml" &&
      !others.some(existsSync) &&
      isPlainYaml(document) &&
      !declaresPackages(folder),
  };
}

const yamlKeys = new Set([...projectKeys, "resources", "variables", "outputs", "packages", "plugins"]);

/** Whether there is nothing but resources of voiceplane: a function, another package or another language's host can read anything. */
function isPlainYaml(document: Readonly<Record<string, unknown>>): boolean {
  const { runtime, resources, packages, plugins } = document;
  const isHost =
    runtime === "yaml" || (isObject(runtime) && runtime.name === "yaml" && hasOnly(runtime, new Set(["name"])));
  const types = isObject(resources)
    ? Object.values(resources).map((resource) => (isObject(resource) ? resource.type : ""))
    : [];
  const providers: unknown = isObject(plugins) ? plugins.providers : [];
  return (
    isHost &&
    hasOnly(document, yamlKeys) &&
    types.every(
      (type) => typeof type === "string" && /^(?:voiceplane:(?:index:)?\w+|pulumi:providers:voiceplane)$/.test(type),
    ) &&
    hasOnly(packages, new Set(["voiceplane"])) &&
    hasOnly(plugins, new Set(["providers"])) &&
    Array.isArray(providers) &&
    providers.every((provider) => isObject(provider) && provider.name === "voiceplane") &&
    !callsFunction([resources, document.variables, document.outputs])
  );
}

/** Whether a key calls a function, such as `fn::readFile`, or merges another map. */
function callsFunction(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => /^fn::|^<<$/i.test(key) || callsFunction(member));
}

/** Whether a file below the folder tells the YAML host of a package. Those of installed packages are as the lock file says. */
function declaresPackages(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return !/^(?:node_modules|\..*)$/.test(entry.name) && declaresPackages(path);
    return (
      entry.isFile() && entry.name.endsWith(".yaml") && readFileSync(path, "utf8").includes("packageDeclarationVersion")
    );
  });
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
