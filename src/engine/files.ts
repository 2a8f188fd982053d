/** Reads files as the Pulumi CLI reads them. */
import { readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { codeOf, parseJson, tried } from "../values.js";
import { parse } from "yaml";

/** A temporary folder in which nothing can be written ends each run. The error says what to set. */
export function inTemporaryFolder<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new Error(
      `the temporary folder ${tmpdir()} cannot be used (${code}): set TMPDIR to a folder with room for this user`,
      { cause: error },
    );
  }
}

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Each changes with each write to its file. The file's own time can be set back, that of its change cannot. */
export function stampsOf(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const stats = tried(() => statSync(path, { bigint: true }));
    return stats ? `${path} ${stats.size} ${stats.ctimeNs} ${stats.ino}` : `${path} is absent`;
  });
}

/** When the last of these files changed, ms since the epoch. */
export const lastChange = (paths: readonly string[]): number =>
  Math.max(0, ...paths.map((path) => statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0));

/** Undefined if the file is missing, or is not YAML or JSON in UTF-8. */
export function documentIn(file: string): unknown {
  return tried(() => {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    return file.endsWith(".json") ? parseJson(text) : (parse(text) as unknown);
  });
}
