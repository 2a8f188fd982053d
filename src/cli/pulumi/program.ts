/** The program of a project: what the engine runs, and whether it is the package's own. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../../values/any.js";
import { documentIn, isFile } from "./files.js";

export interface Program {
  /** Where the program and its dynamic providers run. */
  readonly folder: string;
  /** What the engine could run. It takes the first. */
  readonly entries: readonly string[];
  /** Of the first entry; empty if there is none. */
  readonly text: string;
  /** Whether it loads the package's own program, which reads an organization file. */
  readonly readsOrganizationFile: boolean;
}

/** The content of Pulumi.yaml. */
export type ProjectDocument = Readonly<Record<string, unknown>>;

export function programOf(file: string, document: ProjectDocument, runtime: string): Program {
  const main = mainOf(dirname(file), document);
  if (runtime === "nodejs") return nodeProgram(main);
  return { folder: main.folder, entries: [file], text: "", readsOrganizationFile: false };
}

/** `main` is a file or a folder. Default: the project's folder. */
function mainOf(folder: string, { main }: ProjectDocument) {
  const isNamed = typeof main === "string" && main !== "";
  const path = isNamed ? resolve(folder, main) : folder;
  const isOfFile = isNamed && (isFile(path) || !existsSync(path));
  return { isNamed, path, isOfFile, folder: isOfFile ? dirname(path) : path };
}

function nodeProgram(main: ReturnType<typeof mainOf>): Program {
  const manifest = manifestAbove(main.folder);
  // Of a folder that Pulumi.yaml names, Node reads the folder's own package.json alone.
  const isNamedByManifest = !main.isOfFile && (!main.isNamed || dirname(manifest) === main.folder);
  const document = isNamedByManifest ? documentIn(manifest) : undefined;
  const named = isObject(document) && typeof document.main === "string" ? document.main : "";
  const candidates = main.isOfFile ? [main.path] : indexFilesIn(main.folder);
  const entries = named === "" ? candidates : [resolve(dirname(manifest), named)];
  const [entry = ""] = entries;
  const text = isFile(entry) ? readFileSync(entry, "utf8") : "";
  return { folder: main.folder, entries, text, readsOrganizationFile: /["']pulumi-voiceplane\/stack["']/.test(text) };
}

function indexFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^index\.[cm]?[jt]sx?(?:on)?$/.test(name));
  return names.map((name) => join(folder, name));
}

/** The nearest package.json, as Node and Pulumi's host look for it; it may be missing. */
function manifestAbove(folder: string): string {
  const file = join(folder, "package.json");
  return isFile(file) || dirname(folder) === folder ? file : manifestAbove(dirname(folder));
}
