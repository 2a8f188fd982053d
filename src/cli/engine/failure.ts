/** What a run of the CLI that failed says: in one line, and in a file with everything. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson } from "../../values/any.js";
import { cleanText, redact } from "../../values/text.js";
import type { Environment } from "../../values/environment.js";
import { firstError, stackProblemIn, type Finished } from "./cli.js";
import { lostStack } from "./lost-state.js";
import type { StackProject } from "./project.js";

interface Place {
  /** The folder of the run. */
  readonly files: string;
  /** What no text may repeat. */
  readonly secrets: readonly string[];
}

interface FailedRun extends Place {
  readonly project: StackProject;
  readonly env: Environment;
  /** What an earlier run left. */
  readonly record: object | undefined;
}

/**
 * One line.
 *
 * @param facts the violations and errors of the run's events, which say more than the CLI's own
 */
export function failureOf({ code, stderr }: Finished, facts: readonly string[], run: FailedRun): string {
  const { files, secrets, project, env, record } = run;
  if (code === 0 && facts.length === 0) return `pulumi's events do not show a whole update: is there room in ${files}?`;
  const isMissing = stackProblemIn(stderr) === "unknown";
  const lost = isMissing ? lostStack(project, project.stack, env, record && "the record of a run") : undefined;
  const text = facts.length > 0 ? facts.join("; ") : (lost ?? firstError(stderr));
  return cleanText(text, secrets, 1000) ?? `pulumi ended with exit code ${String(code)}`;
}

/**
 * Keeps the output without secrets, for its user alone. Left out: debug messages of Pulumi's SDK, which hold secrets in plain text,
 * and the event with the stack's configuration, where a token may be in plain text.
 *
 * @returns the file; null if it could not be written
 */
export function keepLog({ stdout, stderr }: Finished, { files, secrets }: Place): string | null {
  const path = join(files, "log");
  try {
    writeFileSync(path, redact([stderr, ...stdout.split("\n").filter(isKept)].join("\n"), secrets), { mode: 0o600 });
    return path;
  } catch {
    return null;
  }
}

/** A line that is not a whole event may be a part of one that is left out. */
function isKept(line: string): boolean {
  const event = parseJson(line);
  if (!isObject(event) || !("sequence" in event) || "preludeEvent" in event) return false;
  return !isObject(event.diagnosticEvent) || event.diagnosticEvent.severity !== "debug";
}
