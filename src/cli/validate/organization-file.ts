import { readFileSync } from "node:fs";
import { readOrganizationFile } from "../../organization-file/reader.js";
import type { Problem } from "./problem.js";

/**
 * All problems of an organization file; none if it is right.
 *
 * @param path of the file
 * @param name how problems call it
 */
export function organizationFileProblems(path: string, name: string): Problem[] {
  const text = textOf(path);
  if (typeof text !== "string") return [{ file: name, message: `cannot be read (${text.code})` }];
  const reading = readOrganizationFile(text, name);
  return "problems" in reading ? reading.problems.map((problem) => located(problem, name)) : [];
}

function textOf(path: string): string | { readonly code: string } {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? "unknown reason" };
  }
}

/** The reader says "file:line:column what is wrong"; formats for machines want the parts. */
function located(problem: string, file: string): Problem {
  const [, line, column, message] = /^:(\d+):(\d+) (.*)$/s.exec(problem.slice(file.length)) ?? [];
  if (message === undefined) return { file, message: problem };
  return { file, line: Number(line), column: Number(column), message };
}
