/** What a run of the CLI that failed says: in one line, and in a file with everything. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanText, redact } from "../client/safe-text.js";
import type { Finished } from "./cli.js";

interface Place {
  /** The folder of the run. */
  readonly files: string;
  /** What no text may repeat. */
  readonly secrets: readonly string[];
}

/**
 * One line.
 *
 * @param facts the violations and errors of the run's events, which say more than the CLI's own
 */
export function failureOf({ code, stderr }: Finished, facts: readonly string[], { files, secrets }: Place): string {
  if (code === 0 && facts.length === 0) return `pulumi's events do not show a whole update: is there room in ${files}?`;
  const text = facts.length > 0 ? facts.join("; ") : firstError(stderr);
  return cleanText(text, secrets, 1000) ?? `pulumi ended with exit code ${String(code)}`;
}

/** The CLI's first error; several errors at once are a list below it. */
export function firstError(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const start = Math.max(
    0,
    lines.findIndex((line) => line.startsWith("error:")),
  );
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => !/^\s+(\d+\)|\*) /.test(line));
  const list = end < 0 ? after : after.slice(0, end);
  return [lines[start]?.replace(/^error: /, "") ?? "", ...list].join("\n");
}

/**
 * Keeps the output without secrets, for its user alone. Debug messages of Pulumi's SDK hold secrets in plain text, and are left out.
 *
 * @returns the file; null if it could not be written
 */
export function keepLog({ stdout, stderr }: Finished, { files, secrets }: Place): string | null {
  const path = join(files, "log");
  const events = stdout.split("\n").filter((line) => !line.includes('"severity":"debug"'));
  try {
    writeFileSync(path, redact([stderr, ...events].join("\n"), secrets), { mode: 0o600 });
    return path;
  } catch {
    return null;
  }
}
