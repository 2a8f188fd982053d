/** What a client writes of each attempt that has ended: a debug line, and a line of the request log. Nothing reads either. */
import { appendFileSync } from "node:fs";
import { tried } from "../values/any.js";
import type { Method, OperationName } from "../contract/index.js";
import { redact } from "../values/text.js";
import type { ParsedAnswer } from "./answer.js";
import type { AttemptResult } from "./attempt.js";
import { outcomeOfAttempt, type RequestOutcome } from "./outcome.js";

/** Contains neither the token nor a body. */
export interface EndedAttempt {
  /** The id of the state that the request makes. The same for all attempts. */
  readonly requestId: string | undefined;
  readonly operation: OperationName;
  readonly method: Method;
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

/** What is written of an attempt, without the token. */
export function endedAttempt(
  { requestId, operation, method, path }: Pick<EndedAttempt, "requestId" | "operation" | "method" | "path">,
  facts: Pick<EndedAttempt, "number" | "startedAt" | "endedAt">,
  result: AttemptResult,
  answer: ParsedAnswer,
  token: string,
): EndedAttempt {
  const [status, code] = result.kind === "answered" ? [result.status] : [undefined, result.error.code];
  return {
    ...{ requestId, operation, method, path: redact(path, [token]) },
    ...facts,
    ...{ result: result.kind, status, code: code && redact(code, [token]) },
    outcome: answer.kind === "success" ? answer.kind : outcomeOfAttempt(operation, answer),
  };
}

const msOf = ({ startedAt, endedAt }: EndedAttempt): number => Math.round(endedAt - startedAt);

export const debugLines = (print: (line: string) => void) => (attempt: EndedAttempt) => {
  const { method, path, number, status, code, result } = attempt;
  print(`voiceplane: ${method} ${path}, attempt ${number}: ${status ?? code ?? result} after ${msOf(attempt)} ms`);
};

/** An audit of what was sent, as lines of JSON. It never fails: the request may have been carried out. */
export const requestLog = (file: string, organization: string | undefined) => (attempt: EndedAttempt) => {
  const { startedAt, endedAt, number, requestId: id, ...facts } = attempt;
  const time = new Date(endedAt).toISOString();
  const line = JSON.stringify({ id, time, organization, attempt: number, ...facts, ms: msOf(attempt) });
  // Several processes append, and one may be killed meanwhile. So each line is one write, and begins with a line end.
  tried(() => {
    appendFileSync(file, `\n${line}\n`, { mode: 0o600 });
  });
};
