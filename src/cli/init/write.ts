/** Files into a folder in which there is nothing that could be overwritten. */
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A folder that does not exist is fine, and so is a repository without any files.
 *
 * @throws Error where the folder has files, or is none
 */
export function requireEmpty(folder: string): void {
  const names = namesIn(folder).filter((name) => name !== ".git");
  if (names.length > 0) throw new Error(`${folder} is not empty: nothing was written`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return [];
    throw new Error(code === "ENOTDIR" ? `${folder} is not a folder` : `${folder} cannot be read (${code})`, {
      cause: error,
    });
  }
}

/**
 * All of them or none: what was written before something failed is taken away again.
 *
 * @param files contents by path, relative to the folder
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const made: string[] = [];
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path);
      // The first folder that had to be made: with it goes whatever came to be below it.
      const first = mkdirSync(dirname(file), { recursive: true });
      if (first !== undefined) made.push(first);
      // "wx" refuses to overwrite, also what came to be there in the meantime.
      const opened = openSync(file, "wx");
      // Before it is written, since a full disk leaves a part of it.
      made.push(file);
      try {
        writeFileSync(opened, text);
      } finally {
        closeSync(opened);
      }
    }
  } catch (error) {
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true });
    throw new Error(`${folder} cannot be written to (${codeOf(error)}): nothing was written`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
