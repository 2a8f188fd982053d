/** The program of a project, which the engine runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { textIn, type Values } from "../../values/any.js";
import { given } from "../../values/environment.js";
import { documentIn, fileAbove, isFile } from "./files.js";

export interface Program {
  /** Where the program and its dynamic providers run. */
  readonly folder: string;
  /** The text of the file that the engine runs; empty for another runtime than Node, and if the file cannot be found. */
  readonly text: string;
  /** Whether it loads the package's own program, which reads an organization file. */
  readonly readsOrganizationFile: boolean;
}

export function programOf(folder: string, document: Values, runtime: string): Program {
  const main = given(textIn(document, "main"));
  const path = resolve(folder, main ?? "");
  // A path that does not exist counts as a file that is not built yet.
  const isFolder = main === undefined || (existsSync(path) && !isFile(path));
  const file = isFolder ? entryOf(path, main !== undefined) : path;
  const text = runtime === "nodejs" && file !== undefined && isFile(file) ? readFileSync(file, "utf8") : "";
  const readsOrganizationFile = /["']pulumi-voiceplane\/stack["']/.test(text);
  return { folder: isFolder ? path : dirname(path), text, readsOrganizationFile };
}

/** The file that Node runs in a folder. @param isNamed whether Pulumi.yaml names the folder */
function entryOf(folder: string, isNamed: boolean): string | undefined {
  const manifest = fileAbove(folder, ["package.json"]);
  // If Pulumi.yaml names the folder, Node reads the package.json of the folder itself, and none above it.
  if (manifest === undefined || (isNamed && dirname(manifest) !== folder)) return indexFileIn(folder);
  const main = given(textIn(documentIn(manifest), "main"));
  return main === undefined ? indexFileIn(folder) : resolve(dirname(manifest), main);
}

function indexFileIn(folder: string): string | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const name = names.find((each) => /^index\.[cm]?[jt]sx?$/.test(each));
  return name === undefined ? undefined : join(folder, name);
}
