/** What a client reports to debug lines, logs and telemetry. */
import type { Method, OperationName } from "../contract/index.js";
import type { AttemptResult } from "./attempt.js";
import type { RequestOutcome } from "./errors.js";

/** How one attempt ended. Contains neither the token nor a body. */
export interface EndedAttempt {
  readonly operation: OperationName;
  readonly method: Method;
  /** The control plane's address, without a slash at its end. */
  readonly address: string;
  /** The path after the address. */
  readonly path: string;
  /** From 1. */
  readonly number: number;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: AttemptResult["kind"];
  /** If `result` is "answered". */
  readonly status: number | undefined;
  /** The error's code, such as "ECONNRESET", if there is no answer. */
  readonly code: string | undefined;
  /** Of this attempt. A 2xx may say in its body that it is not a success. */
  readonly outcome: "success" | RequestOutcome;
}

export type OnAttempt = (attempt: EndedAttempt) => void;

export function debugLines(print: (line: string) => void): OnAttempt {
  return ({ method, path, number, status, code, result, startedAt, endedAt }) => {
    const ms = Math.round(endedAt - startedAt);
    print(`voiceplane: ${method} ${path}, attempt ${number}: ${status ?? code ?? result} after ${ms} ms`);
  };
}
