/** The program of a project, which the engine runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../../values/any.js";
import { documentIn, isFile } from "./files.js";

export interface Program {
  /** Where the program and its dynamic providers run. */
  readonly folder: string;
  /** The text of the file that the engine runs; empty if the file cannot be found. */
  readonly text: string;
  /** Whether it loads the package's own program, which reads an organization file. */
  readonly readsOrganizationFile: boolean;
}

/** The content of Pulumi.yaml. */
export type ProjectDocument = Readonly<Record<string, unknown>>;

/** @param folder of the project */
export function programOf(folder: string, document: ProjectDocument, runtime: string): Program {
  const main = mainOf(folder, document);
  const text = runtime === "nodejs" ? nodeText(main) : "";
  return { folder: main.folder, text, readsOrganizationFile: /["']pulumi-voiceplane\/stack["']/.test(text) };
}

/** What `main` of Pulumi.yaml names: a file or a folder. Default: the project's folder. */
function mainOf(folder: string, { main }: ProjectDocument) {
  const isNamed = typeof main === "string" && main !== "";
  const path = isNamed ? resolve(folder, main) : folder;
  const isOfFile = isNamed && (isFile(path) || !existsSync(path));
  return { isNamed, path, isOfFile, folder: isOfFile ? dirname(path) : path };
}

function nodeText(main: ReturnType<typeof mainOf>): string {
  const manifest = manifestAbove(main.folder);
  // If Pulumi.yaml names a folder, Node reads that folder's own package.json alone.
  const isNamedByManifest = !main.isOfFile && (!main.isNamed || dirname(manifest) === main.folder);
  const document = isNamedByManifest ? documentIn(manifest) : undefined;
  const named = isObject(document) && typeof document.main === "string" ? document.main : "";
  const byDefault = main.isOfFile ? main.path : indexFileIn(main.folder);
  const entry = named === "" ? byDefault : resolve(dirname(manifest), named);
  return entry !== undefined && isFile(entry) ? readFileSync(entry, "utf8") : "";
}

function indexFileIn(folder: string): string | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name = names.find((each) => /^index\.[cm]?[jt]sx?(?:on)?$/.test(each));
  return name === undefined ? undefined : join(folder, name);
}

/** The nearest package.json, as Node and Pulumi's host look for it; it may be missing. */
function manifestAbove(folder: string): string {
  const file = join(folder, "package.json");
  return isFile(file) || dirname(folder) === folder ? file : manifestAbove(dirname(folder));
}
