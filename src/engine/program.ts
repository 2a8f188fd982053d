/** The program of a project: its files, and whether it can read anything else. */
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isObject } from "../values.js";
import { documentIn, isFile } from "./files.js";

export interface Program {
  /** Where the program and its dynamic providers run. */
  readonly folder: string;
  /** What the engine could run. It takes the first. */
  readonly entries: readonly string[];
  /** Of the first entry; empty if there is none. */
  readonly text: string;
  /** Files that determine what it does. Some may be absent: creating one is a change. */
  readonly files: readonly string[];
  /** Whether it is the package's own program, which reads an organization file. */
  readonly readsOrganizationFile: boolean;
  /** Whether it can read only its files: the package's own program, or YAML with resources of voiceplane alone. */
  readonly isPlain: boolean;
}

/** The content of Pulumi.yaml. */
export type ProjectDocument = Readonly<Record<string, unknown>>;

export function programOf(file: string, document: ProjectDocument, runtime: string): Program {
  return runtime === "nodejs" ? nodeProgram(dirname(file), document) : otherProgram(file, document, runtime);
}

/** Also true for anything but a map. */
export const hasOnly = (document: unknown, keys: readonly string[]): boolean =>
  !isObject(document) || Object.keys(document).every((key) => keys.includes(key));

/** Keys of Pulumi.yaml that cannot bring in other code. Others can: plugins, options of the engine, YAML's merge keys. */
const projectKeys = [
  ...["name", "description", "author", "website", "license", "template"],
  ...["runtime", "main", "config", "stackConfigDir", "backend"],
];

/** `main` is a file or a folder. Default: the project's folder. */
function mainOf(folder: string, { main }: ProjectDocument) {
  const isNamed = typeof main === "string" && main !== "";
  const path = isNamed ? resolve(folder, main) : folder;
  const isOfFile = isNamed && (isFile(path) || !existsSync(path));
  return { isNamed, path, isOfFile, folder: isOfFile ? dirname(path) : path };
}

/** Comments and white space. */
const trivia = /(?:\s|\/\/.*(?:[\n\r\u2028\u2029]|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.source;

/** The text of the package's own program, in each way to write it. */
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
  const tsconfig = join(main.folder, "tsconfig.json");
  const manifests = [manifest.file, join(main.folder, "package.json")];
  const readsOrganizationFile = packageProgram.test(text);
  return {
    folder: main.folder,
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
      // What they lead to may be anywhere.
      !existsSync(tsconfig) &&
      !lstatSync(entry).isSymbolicLink(),
  };
}

function indexFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^index\.[cm]?[jt]sx?(?:on)?$/.test(name));
  return names.map((name) => join(folder, name));
}

/** Whether Node runs only the program, without options that load files before it. */
const isPlainNode = (runtime: unknown): boolean =>
  !isObject(runtime) ||
  (hasOnly(runtime, ["name", "options"]) && hasOnly(runtime.options, ["typescript", "packagemanager"]));

interface Manifest {
  readonly file: string;
  /** Undefined if there is none, or it cannot be read. */
  readonly document?: Readonly<Record<string, unknown>>;
  readonly main?: string;
  /** Whether nothing in it leads to another program. */
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
  const { main } = document;
  return {
    file,
    document,
    ...(typeof main === "string" && main !== "" && { main }),
    isPlain: document.exports === undefined && document.imports === undefined,
  };
}

function otherProgram(file: string, document: ProjectDocument, runtime: string): Program {
  const folder = dirname(file);
  const main = mainOf(folder, document);
  // The YAML host prefers these to Pulumi.yaml.
  const preferred = ["Main.json", "Main.yaml"].map((name) => join(main.folder, name));
  return {
    folder: main.folder,
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

/** Whether it has only resources of voiceplane. A function, another package or another language's host could read anything. */
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

/** Whether a file below the folder declares a package to the YAML host. The lock file determines those in node_modules. */
function declaresPackages(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return !/^(?:node_modules|\..*)$/.test(entry.name) && declaresPackages(path);
    return (
      entry.isFile() && entry.name.endsWith(".yaml") && readFileSync(path, "utf8").includes("packageDeclarationVersion")
    );
  });
}
