/** What is wrong, and where. */
export interface Problem {
  /** As the user would write it, from the current folder; undefined for an environment variable. */
  readonly file?: string;
  /** From 1; with `file` alone. */
  readonly line?: number;
  readonly column?: number;
  /** One line; never a value that may be secret. */
  readonly message: string;
}

/** "organization.yaml:2:23 retention.recordings.days: must be …". */
export function lineOf({ file, line, column, message }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return place === "" ? message : `${place} ${message}`;
}

/** Problems of one file in the order of its lines. */
export const byPlace = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
