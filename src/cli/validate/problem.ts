/** What is wrong in a file, and where. */
import { readFileSync } from "node:fs";
import { readOrganizationFile } from "../../organization-file/reader.js";

export interface Problem {
  /** From the current folder; undefined for an environment variable. */
  readonly file?: string;
  /** From 1. Only with `file`. */
  readonly line?: number;
  readonly column?: number;
  /** One line, without values that may be secret. */
  readonly message: string;
}

/** "organization.yaml:2:23 retention.recordings.days: must be …". */
export function lineOf({ file, line, column, message }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return place === "" ? message : `${place} ${message}`;
}

/** Sorts the problems of one file by line. */
export const byPlace = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

/** @param name the file's name in the problems */
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

/** Splits the reader's "file:line:column message". */
function located(problem: string, file: string): Problem {
  const [, line, column, message] = /^:(\d+):(\d+) (.*)$/s.exec(problem.slice(file.length)) ?? [];
  if (message === undefined) return { file, message: problem };
  return { file, line: Number(line), column: Number(column), message };
}
