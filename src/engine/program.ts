/** The program of a project: which files it has, and whether it can read anything else. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isObject } from "../values.js";
import { documentIn, isFile } from "./files.js";

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
  /** Whether it is the package's own program, which reads an organization file. */
  readonly readsOrganizationFile: boolean;
  /** Whether it can read only its files: the package's own program, or YAML with resources of voiceplane alone. */
  readonly isPlain: boolean;
}

/** Pulumi.yaml, as it was read. */
export type ProjectDocument = Readonly<Record<string, unknown>>;

export function programOf(file: string, document: ProjectDocument, runtime: string): Program {
  return runtime === "nodejs" ? nodeProgram(dirname(file), document) : otherProgram(file, document, runtime);
}

/** Also true for what is no mapping. */
export const hasOnly = (document: unknown, keys: readonly string[]): boolean =>
  !isObject(document) || Object.keys(document).every((key) => keys.includes(key));

/** Keys of Pulumi.yaml beside which nothing decides what a run does. Others are plugins, options of the engine, YAML's merge keys. */
const projectKeys = [
  ...["name", "description", "author", "website", "license", "template"],
  ...["runtime", "main", "config", "stackConfigDir", "backend"],
];

/** `main` is a file or a folder, and is not the project's folder by default. */
function mainOf(folder: string, { main }: ProjectDocument) {
  const isNamed = typeof main === "string" && main !== "";
  const path = isNamed ? resolve(folder, main) : folder;
  const isOfFile = isNamed && (isFile(path) || !existsSync(path));
  return { isNamed, path, isOfFile, folder: isOfFile ? dirname(path) : path };
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

function nodeProgram(folder: string, document: ProjectDocument): Program {
  const main = mainOf(folder, document);
  const manifest = manifestAbove(main.folder);
  const candidates = main.isOfFile ? [main.path] : indexFilesIn(main.folder);
  // Of a folder that Pulumi.yaml names, Node reads the folder's own package.json alone.
  const isNamedByManifest = !main.isOfFile && (!main.isNamed || dirname(manifest.file) === main.folder);
  const entries =
    isNamedByManifest && manifest.main !== undefined ? [resolve(dirname(manifest.file), manifest.main)] : candidates;
  const [entry = ""] = entries;
  const text = isFile(entry) ? readFileSync(entry, "utf8") : "";
  const codeFolder = existsSync(entry) ? dirname(realpathSync(entry)) : main.folder;
  const manifestOfCode = manifestAbove(codeFolder);
  const tsconfig = join(main.folder, "tsconfig.json");
  const manifests = [manifest.file, join(main.folder, "package.json"), manifestOfCode.file];
  const readsOrganizationFile = packageProgram.test(text);
  return {
    folder: main.folder,
    codeFolder,
    entries,
    text,
    files: [...new Set([...manifests, ...entries, ...candidates, tsconfig])],
    readsOrganizationFile,
    isPlain:
      readsOrganizationFile &&
      entries.length === 1 &&
      hasOnly(document, projectKeys) &&
      isPlainNode(document.runtime) &&
      manifest.isPlain &&
      manifestOfCode.isPlain &&
      isPlainTsconfig(tsconfig),
  };
}

function indexFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^index\.[cm]?[jt]sx?(?:on)?$/.test(name));
  return names.map((name) => join(folder, name));
}

/** Whether only the program decides what Node runs, and no file that is loaded before it. */
const isPlainNode = (runtime: unknown): boolean =>
  !isObject(runtime) ||
  (hasOnly(runtime, ["name", "options"]) && hasOnly(runtime.options, ["typescript", "packagemanager"]));

interface Manifest {
  readonly file: string;
  /** Undefined where there is none, or it cannot be read. */
  readonly document?: Readonly<Record<string, unknown>>;
  readonly main?: string;
  /** Whether nothing in it leads to another program, or to another package of this one's name. */
  readonly isPlain: boolean;
}

/** The nearest package.json, as Node and Pulumi's host look for it. */
export function manifestAbove(folder: string): Manifest {
  const file = join(folder, "package.json");
  // Pulumi's host reads this one too.
  if (existsSync(join(folder, "package.yaml"))) return { file, isPlain: false };
  if (!isFile(file)) return dirname(folder) === folder ? { file, isPlain: true } : manifestAbove(dirname(folder));
  const document = documentIn(file);
  if (!isObject(document)) return { file, isPlain: false };
  const { main, name } = document;
  return {
    file,
    document,
    ...(typeof main === "string" && main !== "" && { main }),
    isPlain: document.exports === undefined && document.imports === undefined && name !== "pulumi-voiceplane",
  };
}

/** ts-node loads what the file, or one that it extends, names. The file may have comments and escapes, so its text is searched. */
const isPlainTsconfig = (file: string): boolean =>
  !existsSync(file) || !/extends|ts-node|\\u/.test(readFileSync(file, "utf8"));

function otherProgram(file: string, document: ProjectDocument, runtime: string): Program {
  const folder = dirname(file);
  const main = mainOf(folder, document);
  // What the YAML host prefers to Pulumi.yaml.
  const preferred = ["Main.json", "Main.yaml"].map((name) => join(main.folder, name));
  return {
    folder: main.folder,
    codeFolder: main.folder,
    entries: [file],
    text: "",
    files: runtime === "yaml" ? preferred : [],
    readsOrganizationFile: false,
    isPlain:
      runtime === "yaml" &&
      !main.isNamed &&
      basename(file) === "Pulumi.yaml" &&
      !preferred.some(existsSync) &&
      isPlainYaml(document) &&
      !declaresPackages(folder),
  };
}

/** Whether there is nothing but resources of voiceplane: a function, another package or another language's host can read anything. */
function isPlainYaml(document: ProjectDocument): boolean {
  const { runtime, resources, packages, plugins } = document;
  const types = Object.values(isObject(resources) ? resources : {}).map((each) => (isObject(each) ? each.type : ""));
  const providers: unknown = isObject(plugins) ? plugins.providers : [];
  return (
    hasOnly(runtime, ["name"]) &&
    hasOnly(document, [...projectKeys, "resources", "variables", "outputs", "packages", "plugins"]) &&
    types.every(
      (type) => typeof type === "string" && /^(?:voiceplane:(?:index:)?\w+|pulumi:providers:voiceplane)$/.test(type),
    ) &&
    hasOnly(packages, ["voiceplane"]) &&
    hasOnly(plugins, ["providers"]) &&
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
