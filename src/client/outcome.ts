/** Whether a request may have been carried out, as far as its attempts say. */
import { operations, type OperationName } from "../contract/index.js";
import type { ParsedAnswer } from "./answer.js";

/**
 * Whether the control plane may have carried out the request. `not-sent`: no byte of it was sent. `refused`: the server answered
 * that it did not. `unknown`: it was sent, and no answer says what happened.
 */
export type RequestOutcome = "not-sent" | "refused" | "unknown";

export type Failure = Exclude<ParsedAnswer, { kind: "success" }>;

/** The outcome of one failed attempt, regardless of earlier ones. */
export function outcomeOfAttempt(operation: OperationName, failed: Failure): RequestOutcome {
  if (failed.kind === "refusal") return outcomeOfStatus({ operation, status: failed.status });
  return failed.kind === "not-sent" ? "not-sent" : "unknown";
}

/** The statuses that say that the server has done nothing. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 411, 413, 414, 415, 422, 429, 431]);

/** A 5xx may hide a change that was made. To a rotation, so may every status that does not surely refuse it: it is not sent again. */
export function outcomeOfStatus({
  operation,
  status,
}: {
  readonly operation: OperationName;
  readonly status: number;
}): "refused" | "unknown" {
  const isRefusal = operations[operation].idempotent ? status < 500 : refusals.has(status);
  return isRefusal ? "refused" : "unknown";
}
