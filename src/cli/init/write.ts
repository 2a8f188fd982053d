/** Writes files to a folder that may hold others. No file is overwritten, unless the caller names it. */
import {
  appendFileSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../values/any.js";

/** Contents by path, relative to the folder. */
export type Files = Readonly<Record<string, string>>;

/** @throws Error if the folder is a file, or if files exist; the message names them */
export function requireFree(folder: string, paths: readonly string[]): void {
  const state = statOf(folder);
  if (state === "no folder") throw new Error(`${folder} is not a folder`);
  const taken = paths.filter((path) => exists(join(folder, path)));
  if (taken.length > 0) {
    throw new Error(`${folder} has files that would be overwritten: ${taken.join(", ")}: nothing was written`);
  }
}

function statOf(folder: string): "folder" | "no folder" | "missing" {
  try {
    return statSync(folder).isDirectory() ? "folder" : "no folder";
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return "missing";
    if (code === "ENOTDIR") return "no folder";
    throw new Error(`${folder} cannot be read (${code})`, { cause: error });
  }
}

/** Also true for a broken link, and for a path below a file. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/**
 * Writes all files or none: after an error, what was written is removed.
 *
 * @param added lines to append to files, by path, unless they are there; a missing file is created
 */
export function writeFiles(
  folder: string,
  files: Files,
  added: Readonly<Record<string, readonly string[]>> = {},
): void {
  const undo: (() => void)[] = [];
  try {
    for (const [path, text] of Object.entries(files)) writeNew(join(folder, path), text, undo);
    for (const [path, lines] of Object.entries(added)) addLines(join(folder, path), lines, undo);
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw new Error(`${folder} cannot be written to (${codeOf(error) ?? String(error)}): nothing was written`, {
      cause: error,
    });
  }
}

const remove = (path: string) => () => {
  rmSync(path, { recursive: true, force: true });
};

function writeNew(file: string, text: string, undo: (() => void)[]): void {
  // The first folder that was created. Removing it removes everything below it.
  const first = mkdirSync(dirname(file), { recursive: true });
  if (first !== undefined) undo.push(remove(first));
  // "wx" does not overwrite a file, even one that was created in the meantime.
  const opened = openSync(file, "wx");
  // Before writing, because a full disk leaves an incomplete file.
  undo.push(remove(file));
  try {
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

function addLines(file: string, lines: readonly string[], undo: (() => void)[]): void {
  if (!exists(file)) {
    writeNew(file, lines.map((line) => `${line}\n`).join(""), undo);
    return;
  }
  const before = readFileSync(file, "utf8");
  const present = new Set(before.split("\n").map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return;
  const end = before.includes("\r\n") ? "\r\n" : "\n";
  const separator = before === "" || before.endsWith("\n") ? "" : end;
  const { size } = statSync(file);
  // On a full disk, the file could not be written again.
  undo.push(() => {
    truncateSync(file, size);
  });
  appendFileSync(file, separator + missing.map((line) => line + end).join(""));
}
