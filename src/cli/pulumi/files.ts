/** Finds and reads files as the Pulumi CLI does. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { homeOf } from "../../machine.js";
import { codeOf, isObject, parseJson, tried, type Values } from "../../values/any.js";
import { given, type Environment } from "../../values/environment.js";

/** The CLI's folder for its login and its plugins. */
export const pulumiHome = (env: Environment): string => given(env.PULUMI_HOME) ?? join(homeOf(env), ".pulumi");

/** False too for what this user must not see, such as a file in another user's home. */
export const isFile = (path: string): boolean => tried(() => statSync(path).isFile()) === true;

/** The first file of these names in this folder, or else in the nearest one above it. */
export function fileAbove(folder: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => join(folder, name)).find(isFile);
  return found !== undefined || dirname(folder) === folder ? found : fileAbove(dirname(folder), names);
}

/** Options of the YAML library, whose warnings on standard error would quote the text. */
export const quietYaml = { logLevel: "error" } as const;

/**
 * The text of a file that a user names.
 *
 * @param folder where its path begins
 * @throws Error with the reason if it cannot be read
 */
export function fileText(file: string, folder = "."): string {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error) ?? String(error)})`, { cause: error });
  }
}

/** The members of a file in YAML or JSON; none if it is missing, or is not such a file in UTF-8. */
export function documentIn(file: string): Values {
  const document = tried(() => {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    return file.endsWith(".json") ? parseJson(text) : (parse(text, quietYaml) as unknown);
  });
  return isObject(document) ? document : {};
}
