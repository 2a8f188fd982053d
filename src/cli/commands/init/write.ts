/** Writes files to a folder that may hold others, and overwrites none. */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, tried } from "../../../values/any.js";

/** Contents by path, relative to the folder. */
export type Files = Readonly<Record<string, string>>;

/**
 * @param pipelinePaths those of the paths that `--ci none` leaves out
 * @throws Error if the folder is a file, or has one of these files
 */
export function requireFree(folder: string, paths: readonly string[], pipelinePaths: readonly string[]): void {
  if (fs.existsSync(folder) && !fs.statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  // A link that leads nowhere counts as a file too.
  const taken = paths.filter((path) => tried(() => fs.lstatSync(join(folder, path))) !== undefined);
  if (taken.length === 0) return;
  const found = `${folder} has files that would be overwritten: ${taken.join(", ")}: nothing was written`;
  const ofPipeline = taken.filter((path) => pipelinePaths.includes(path));
  throw new Error(ofPipeline.length === 0 ? found : `${found}; --ci none leaves out ${ofPipeline.join(", ")}`);
}

/**
 * Writes the files one after the other, and returns their paths. An error names those that are written by then, so that a person can remove them.
 *
 * @param ignored lines to add to .gitignore, unless they are there
 */
export function writeFiles(folder: string, files: Files, ignored: readonly string[]): string[] {
  const written: string[] = [];
  try {
    for (const [path, text] of Object.entries(files)) {
      fs.mkdirSync(dirname(join(folder, path)), { recursive: true });
      // "wx" does not overwrite a file, even one that was created in the meantime.
      const file = fs.openSync(join(folder, path), "wx");
      // It is listed before it is written, because a full disk leaves an incomplete file.
      written.push(path);
      fs.writeFileSync(file, text);
      fs.closeSync(file);
    }
    const missing = missingLines(join(folder, ".gitignore"), ignored);
    if (missing === "") return written;
    fs.appendFileSync(join(folder, ".gitignore"), missing);
    return [...written, ".gitignore"];
  } catch (error) {
    const left = written.length === 0 ? "nothing was written" : `remove what was written: ${written.join(", ")}`;
    throw new Error(`${folder} cannot be written to (${codeOf(error) ?? String(error)}): ${left}`, { cause: error });
  }
}

/** What to append to the file, with its line ends, so that it has all lines. */
function missingLines(file: string, lines: readonly string[]): string {
  const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  const present = new Set(before.split("\n").map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  const end = before.includes("\r\n") ? "\r\n" : "\n";
  const separator = before === "" || before.endsWith("\n") || missing.length === 0 ? "" : end;
  return separator + missing.map((line) => line + end).join("");
}
