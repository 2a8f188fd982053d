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

export type ProjectDocument = Readonly<Record<string, unknown>>;

export function programOf(folder: string, { main }: ProjectDocument, runtime: string): Program {
  const named = typeof main === "string" && main !== "" ? resolve(folder, main) : undefined;
  const path = named ?? folder;
  // A path that does not exist may be a file that is not built yet.
  const isFolder = named === undefined || (existsSync(path) && !isFile(path));
  const entry = isFolder ? entryOf(path, named !== undefined) : path;
  const text = runtime === "nodejs" && entry !== undefined && isFile(entry) ? readFileSync(entry, "utf8") : "";
  const readsOrganizationFile = /["']pulumi-voiceplane\/stack["']/.test(text);
  return { folder: isFolder ? path : dirname(path), text, readsOrganizationFile };
}

/** The file that Node runs in a folder. @param isNamed whether Pulumi.yaml names the folder */
function entryOf(folder: string, isNamed: boolean): string | undefined {
  const manifest = manifestAbove(folder);
  // If Pulumi.yaml names the folder, Node reads the package.json of the folder itself, and none above it.
  const document = !isNamed || dirname(manifest) === folder ? documentIn(manifest) : undefined;
  const main = isObject(document) && typeof document.main === "string" ? document.main : "";
  return main === "" ? indexFileIn(folder) : resolve(dirname(manifest), main);
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
