/** Writes files to a folder that may hold others, and overwrites none. */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, tried } from "../../../values/any.js";

/** Contents by path, relative to the folder. */
export type Files = Readonly<Record<string, string>>;

/** @throws Error if the folder is a file, or has one of these files */
export function requireFree(folder: string, paths: readonly string[]): void {
  if (tried(() => fs.statSync(folder).isDirectory()) === false) throw new Error(`${folder} is not a folder`);
  // A link that leads nowhere counts as a file too.
  const taken = paths.filter((path) => tried(() => fs.lstatSync(join(folder, path))) !== undefined);
  if (taken.length > 0) {
    throw new Error(`${folder} has files that would be overwritten: ${taken.join(", ")}: nothing was written`);
  }
}

/**
 * Writes all files or none: after an error, what was written is removed.
 *
 * @param ignored lines to add to .gitignore, unless they are there
 */
export function writeFiles(folder: string, files: Files, ignored: readonly string[]): void {
  const made: string[] = [];
  try {
    for (const [path, text] of Object.entries(files)) writeNew(join(folder, path), text, made);
    addLines(join(folder, ".gitignore"), ignored, made);
  } catch (error) {
    for (const path of made.toReversed()) fs.rmSync(path, { recursive: true, force: true });
    throw new Error(`${folder} cannot be written to (${codeOf(error) ?? String(error)}): nothing was written`, {
      cause: error,
    });
  }
}

/** @param made what to remove after an error */
function writeNew(file: string, text: string, made: string[]): void {
  // The first folder that was created: removing it removes everything below it.
  const first = fs.mkdirSync(dirname(file), { recursive: true });
  if (first !== undefined) made.push(first);
  // "wx" does not overwrite a file, even one that was created in the meantime.
  const opened = fs.openSync(file, "wx");
  // It is listed before it is written, because a full disk leaves an incomplete file.
  made.push(file);
  try {
    fs.writeFileSync(opened, text);
  } finally {
    fs.closeSync(opened);
  }
}

function addLines(file: string, lines: readonly string[], made: string[]): void {
  const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  const present = new Set(before.split("\n").map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const end = before.includes("\r\n") ? "\r\n" : "\n";
  const separator = before === "" || before.endsWith("\n") ? "" : end;
  // A new file takes the place of the old one, which a full disk leaves as it is.
  writeNew(`${file}.new`, before + separator + missing.map((line) => line + end).join(""), made);
  fs.renameSync(`${file}.new`, file);
}
