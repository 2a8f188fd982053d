/** The request log: a line of JSON for each attempt, in the file of VOICEPLANE_REQUEST_LOG. `voiceplane apply` counts them. */
import { appendFileSync } from "node:fs";
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
