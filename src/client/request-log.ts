/** The request log: a line of JSON for each attempt, in the file of VOICEPLANE_REQUEST_LOG. `voiceplane apply` counts them. */
import { appendFileSync } from "node:fs";
import type { Method, OperationName } from "../contract.js";
import type { AttemptResult } from "./attempt.js";

/** One line: an attempt that has ended, without token, headers and bodies. */
export interface LoggedAttempt {
  /** When it ended, ISO 8601 by this machine's clock. */
  readonly time: string;
  readonly operation: OperationName;
  readonly method: Method;
  /** Relative to the base URL. */
  readonly path: string;
  /** 1 for the first one. */
  readonly attempt: number;
  readonly result: AttemptResult["kind"];
  /** The answer's status. */
  readonly status?: number;
  /** The transport's code, if there is no answer. */
  readonly code?: string;
  readonly ms: number;
}

type LoggedRequest = Pick<LoggedAttempt, "operation" | "method" | "path">;

/** @param times when the attempt began and ended, ms since the epoch */
export type RequestLog = (
  request: LoggedRequest,
  attempt: number,
  result: AttemptResult,
  times: readonly [startedAt: number, endedAt: number],
) => void;

/** Appends to `file`, which it makes readable for its owner only. Undefined without a file. */
export function requestLogTo(file: string | undefined): RequestLog | undefined {
  if (file === undefined || file === "") return undefined;
  return ({ operation, method, path }, attempt, result, [startedAt, endedAt]) => {
    const line: LoggedAttempt = {
      time: new Date(endedAt).toISOString(),
      operation,
      method,
      path,
      attempt,
      result: result.kind,
      ...(result.kind === "answered" && { status: result.status }),
      ...(result.kind !== "answered" && result.error.code !== undefined && { code: result.error.code }),
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
