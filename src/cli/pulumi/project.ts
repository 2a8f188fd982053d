/** Finds the project, and reads files, as the Pulumi CLI does. */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { isObject, parseJson, textIn, tried, type Values } from "../../values/any.js";
import { given, type Environment } from "../../values/environment.js";

/** A project without one of its stacks. */
export interface Project {
  /** Pulumi.yaml, or the file that the CLI takes instead. */
  readonly file: string;
  readonly folder: string;
  readonly document: Values;
  /** Such as "nodejs", "yaml" or "python". */
  readonly runtime: string;
}

/** In the order in which the CLI looks for them. */
const fileNames = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

export const projectFileAbove = (folder: string): string | undefined => fileAbove(folder, fileNames);

/** @throws Error with what is wrong with the file */
export function readProjectFile(file: string): Project {
  const document = documentIn(file);
  if (textIn(document, "name") === undefined) throw new Error(`${file} cannot be read as a Pulumi project`);
  const runtime = isObject(document.runtime) ? document.runtime.name : document.runtime;
  if (typeof runtime !== "string" || runtime === "") throw new Error(`${file} has no runtime, such as nodejs or yaml`);
  return { file, folder: dirname(file), document, runtime };
}

/** The project that this folder is in; undefined if there is none, or it cannot be read. */
export function projectAbove(folder: string): Project | undefined {
  const file = projectFileAbove(folder);
  return file === undefined ? undefined : tried(() => readProjectFile(file));
}

/** Where npm's package `pulumi` keeps the CLIs that it has downloaded. */
export const pulumiHome = (env: Environment): string =>
  given(env.PULUMI_HOME) ?? join(given(env.HOME) ?? homedir(), ".pulumi");

/** False too for what this user must not see, such as a file in another user's home. */
export const isFile = (path: string): boolean => tried(() => statSync(path).isFile()) === true;

/** The first file of these names in this folder, or else in the nearest one above it. */
export function fileAbove(folder: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => join(folder, name)).find(isFile);
  return found !== undefined || dirname(folder) === folder ? found : fileAbove(dirname(folder), names);
}

/** The members of a file in YAML or JSON; none if it is missing, or is not such a file in UTF-8. */
export function documentIn(file: string): Values {
  const document = tried(() => {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    // The library's warnings on standard error would quote the text.
    return file.endsWith(".json") ? parseJson(text) : (parse(text, { logLevel: "error" }) as unknown);
  });
  return isObject(document) ? document : {};
}
