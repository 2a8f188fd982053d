/**
 * Whether and when a request is tried again. A rotation must not run twice: it is never sent again once its bytes may
 * have been sent, except after a 429, which proves that nothing was done.
 */
import { operations, type OperationName } from "../contract/index.js";
import { header, type Headers } from "./attempt.js";

/** A failed attempt. A refusal is any answer other than a success. */
export type AttemptFailure =
  | { readonly kind: "not-sent" }
  | { readonly kind: "lost" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "refusal"; readonly status: number; readonly retryAfterMs?: number | undefined };

export interface RetryLimits {
  /** Attempts in all, including the first one. */
  readonly maxAttempts: number;
  /** Attempts in all if the last answer was 429: the server asked for the wait, and the deadline limits it. */
  readonly maxRateLimitedAttempts: number;
  /** Longest first delay, ms; it doubles with every attempt. */
  readonly baseDelayMs: number;
  /** Longest delay that the server did not ask for, ms. */
  readonly maxDelayMs: number;
}

export const defaultRetryLimits: RetryLimits = {
  // About eight seconds of waits in all: enough for a server to restart, and not too long for a person who waits.
  maxAttempts: 7,
  maxRateLimitedAttempts: 20,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
};

export interface RetrySituation {
  /** Attempts made so far, 1 or more. */
  readonly attempts: number;
  /** Time left for the whole request, ms; after a 429 it includes the time that waiting may add. */
  readonly remainingMs: number;
  /** In [0, 1). */
  readonly random: number;
}

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  /** `final`: useless or unsafe. `attempts`, `deadline`: tried enough. `retry-after`: the server asks for too long a wait. */
  | { readonly retry: false; readonly why: "final" | "attempts" | "deadline" | "retry-after" };

export function retryDecision(
  operation: OperationName,
  failure: AttemptFailure,
  { attempts, remainingMs, random }: RetrySituation,
  limits: RetryLimits = defaultRetryLimits,
): RetryDecision {
  if (!mayRetry(operation, failure)) return { retry: false, why: "final" };
  const isRateLimited = failure.kind === "refusal" && failure.status === 429;
  const maxAttempts = isRateLimited ? limits.maxRateLimitedAttempts : limits.maxAttempts;
  if (attempts >= maxAttempts) return { retry: false, why: "attempts" };
  const askedFor = failure.kind === "refusal" ? (failure.retryAfterMs ?? 0) : 0;
  if (askedFor >= remainingMs) return { retry: false, why: askedFor > 0 ? "retry-after" : "deadline" };
  // Jitter is added to the wait that the server asked for: otherwise all clients with "1 second" would return together.
  const delayMs = askedFor + random * Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (attempts - 1));
  if (delayMs < remainingMs) return { retry: true, delayMs };
  return askedFor > 0 ? { retry: true, delayMs: askedFor } : { retry: false, why: "deadline" };
}

/** Whether another attempt is safe and useful: the table of docs/contributing/decisions.md. */
function mayRetry(operation: OperationName, failure: AttemptFailure): boolean {
  if (failure.kind === "not-sent") return true;
  // 429 is the only answer that says both "not done" and "try again".
  if (failure.kind === "refusal" && failure.status === 429) return true;
  if (!operations[operation].idempotent) return false;
  return failure.kind === "lost" || (failure.kind === "refusal" && [502, 503, 504].includes(failure.status));
}

/** How long the server asks to wait, ms; undefined if it does not say. */
export function waitMs(_status: number, headers: Headers, now: number): number | undefined {
  return retryAfterMs(header(headers, "retry-after"), header(headers, "date"), now);
}

/**
 * Milliseconds that a Retry-After header asks for, in seconds or as a date; undefined if it cannot be read. A date is
 * compared with the answer's own Date header if there is one, so that a wrong clock does no harm.
 */
export function retryAfterMs(header: string | undefined, date: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const until = httpDate(text);
  return until === undefined ? undefined : Math.max(0, until - (httpDate(date ?? "") ?? now));
}

/** ms since the epoch; undefined if it is not an HTTP date. Date.parse alone would read "soon 5" as a date in May. */
function httpDate(text: string): number | undefined {
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return undefined;
  // The oldest format ends with the year and means GMT. Date.parse would read it as local time.
  return Date.parse(/:\d\d \d{4}$/.test(text) ? `${text} GMT` : text) || undefined;
}
