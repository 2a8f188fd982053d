/**
 * Whether and when a request is tried again. A rotation must not run twice: it is never sent again once its bytes may
 * have been sent, except after a 429, which proves that nothing was done.
 */
import { operations, type OperationName } from "../contract/index.js";
import type { NoAnswer } from "./attempt.js";
import type { Refusal } from "./answer.js";
import { defaultLimits, type ClientLimits } from "./settings.js";

type FailedAttempt = Pick<NoAnswer, "kind"> | Pick<Refusal, "kind" | "status" | "retryAfterMs">;

interface RetrySituation {
  readonly attempts: number;
  /** Time left for the whole request, ms. */
  readonly remainingMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** Longest first delay, ms; it doubles with every attempt, up to the longest one that the server did not ask for. */
const [baseDelayMs, maxDelayMs] = [250, 8_000];

/** The time until the next attempt, ms; undefined if there is none. */
export function retryDelay(
  operation: OperationName,
  failed: FailedAttempt,
  { attempts, remainingMs, random }: RetrySituation,
  limits: Pick<ClientLimits, "maxAttempts" | "maxRateLimitedAttempts"> = defaultLimits,
): number | undefined {
  const maxAttempts = isRateLimited(failed) ? limits.maxRateLimitedAttempts : limits.maxAttempts;
  if (!mayRetry(operation, failed) || attempts >= maxAttempts) return undefined;
  const askedForMs = failed.kind === "refusal" ? failed.retryAfterMs : 0;
  // Jitter is added to the wait that the server asked for: otherwise all clients with "1 second" would return together.
  const delayMs = askedForMs + random * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempts - 1));
  return delayMs < remainingMs ? delayMs : undefined;
}

/** Whether another attempt is safe and useful: the table of docs/contributing/decisions.md. */
function mayRetry(operation: OperationName, failed: FailedAttempt): boolean {
  if (failed.kind === "not-sent" || isRateLimited(failed)) return true;
  if (!operations[operation].idempotent) return false;
  // A server also sends 408 when it closes an idle connection, where it is read as the answer to the next request.
  return failed.kind === "lost" || (failed.kind === "refusal" && [408, 502, 503, 504].includes(failed.status));
}

/** 429 is the only answer that says both "not done" and "try again". */
export const isRateLimited = (failed: FailedAttempt): boolean => failed.kind === "refusal" && failed.status === 429;
