/** What is wrong in a file, and where. */
import { readFileSync } from "node:fs";
import { readOrganizationFile } from "../organization-file/reader.js";

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

/** The first problems of a file, and the number of the others. */
interface Problems {
  readonly problems: readonly Problem[];
  readonly more: number;
}

/** @param name the file's name in the problems */
export function organizationFileProblems(path: string, name: string): Problems {
  const content = contentOf(path);
  if ("code" in content) return { problems: [{ file: name, message: `cannot be read (${content.code})` }], more: 0 };
  const reading = readOrganizationFile(content);
  if ("organization" in reading) return { problems: [], more: 0 };
  return { ...reading, problems: reading.problems.map((problem) => ({ file: name, ...problem })) };
}

function contentOf(path: string): Buffer | { readonly code: string } {
  try {
    return readFileSync(path);
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? "unknown reason" };
  }
}
