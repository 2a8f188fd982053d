/**
 * Whether and when a request is tried again. A rotation must not run twice: it is never sent again once its bytes may
 * have been sent, except after a 429, which proves that nothing was done.
 */
import { operations, type OperationName } from "../contract/index.js";
import type { NoAnswer } from "./attempt.js";

/** A failed attempt. A refusal is any answer other than a success. */
export type FailedAttempt =
  | { readonly kind: NoAnswer["kind"] }
  | { readonly kind: "refusal"; readonly status: number; readonly retryAfterMs?: number | undefined };

export interface RetryLimits {
  /** Attempts in all, including the first one. */
  readonly maxAttempts: number;
  /** Attempts in all if the last answer was 429. */
  readonly maxRateLimitedAttempts: number;
  /** Longest first delay, ms; it doubles with every attempt. */
  readonly baseDelayMs: number;
  /** Longest delay that the server did not ask for, ms. */
  readonly maxDelayMs: number;
}

export const defaultRetryLimits: RetryLimits = {
  // About eight seconds of waits in all: enough for a server to restart, and not too long for a person who waits.
  maxAttempts: 7,
  // Only the deadline limits these: many servers do not say when a limit ends.
  maxRateLimitedAttempts: Number.POSITIVE_INFINITY,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
};

interface RetrySituation {
  readonly attempts: number;
  /** Time left for the whole request, ms. */
  readonly remainingMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** The time until the next attempt, ms; undefined if there is none. */
export function retryDelay(
  operation: OperationName,
  failed: FailedAttempt,
  { attempts, remainingMs, random }: RetrySituation,
  limits: RetryLimits = defaultRetryLimits,
): number | undefined {
  const maxAttempts = isRateLimited(failed) ? limits.maxRateLimitedAttempts : limits.maxAttempts;
  if (!mayRetry(operation, failed) || attempts >= maxAttempts) return undefined;
  const askedForMs = failed.kind === "refusal" ? (failed.retryAfterMs ?? 0) : 0;
  // Jitter is added to the wait that the server asked for: otherwise all clients with "1 second" would return together.
  const delayMs = askedForMs + random * Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (attempts - 1));
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

/** How long a Retry-After asks to wait, ms: it has seconds or a date. Undefined for anything else. */
export function waitMs(retryAfter = "", now: number): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  // Date.parse alone would read "soon 5" as a date in May.
  const until = /^\w{3}, .* GMT$/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}
