/** The request log: a line of JSON for each attempt, in the file of VOICEPLANE_REQUEST_LOG. `voiceplane apply` counts them. */
import { appendFileSync, readFileSync } from "node:fs";
import { isObject, parseJson } from "../values.js";
import type { EndedAttempt, OnAttempt } from "./observers.js";

/** One line. Members may be added. */
export interface LoggedAttempt extends Pick<EndedAttempt, "operation" | "method" | "path" | "result"> {
  /** Whether the answer is a success. */
  readonly succeeded: boolean;
  /** When it ended, ISO 8601 by this machine's clock. */
  readonly time: string;
  /** 1 for the first one. */
  readonly attempt: number;
  /** The answer's status, if there is one. */
  readonly status?: number | undefined;
  /** The transport's code, if there is no answer. */
  readonly code?: string | undefined;
  readonly ms: number;
}

/** Appends to `file`, which only its owner may read. Undefined without a file. */
export function requestLog(file: string | undefined): OnAttempt | undefined {
  if (file === undefined || file === "") return undefined;
  return ({ operation, method, path, number, result, status, code, outcome, startedAt, endedAt }) => {
    const line: LoggedAttempt = {
      time: new Date(endedAt).toISOString(),
      ...{ operation, method, path, attempt: number, result, status, code, succeeded: outcome === "success" },
      ms: Math.round(endedAt - startedAt),
    };
    try {
      // Several processes append: one call writes a whole line.
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not fail a request that may have been carried out.
    }
  };
}

/** The attempts in the file; none if it is missing. A line that a killed process has not finished is left out. */
export function readRequestLog(file: string): LoggedAttempt[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").map(parseJson).filter(isLoggedAttempt);
}

/** By what is counted. */
function isLoggedAttempt(line: unknown): line is LoggedAttempt {
  if (!isObject(line) || typeof line.succeeded !== "boolean") return false;
  return [line.operation, line.path, line.result].every((text) => typeof text === "string");
}
