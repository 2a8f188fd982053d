/**
 * Whether, and when, a request is tried again. Every other rule of the client bends; this one does not: a request that
 * must not run twice is never sent again once its bytes may have left, save after an answer that proves that nothing
 * was done.
 */
import { operations, type OperationName } from "../contract.js";

/** How one attempt ended, as far as trying again is concerned. */
export type AttemptEnd =
  /** Surely not sent: name resolution, connecting, TLS, a proxy. */
  | { readonly kind: "not-sent" }
  /** Sent, and the answer is missing or cut off: reset, timeout, half a body. */
  | { readonly kind: "lost" }
  /** Sent and answered, but the answer cannot be taken in, and the next one would be like it. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "refusal"; readonly status: number; readonly retryAfterMs?: number | undefined };

export interface RetryLimits {
  /** Attempts in all, the first one included, unless each of them met a rate limit. */
  readonly maxAttempts: number;
  /** The same where the last answer was 429: waiting is what the server asked for, and the deadline ends it anyway. */
  readonly maxRateLimitedAttempts: number;
  /** Upper bound of the first delay, ms; it doubles with every attempt. */
  readonly baseDelayMs: number;
  /** Upper bound of any delay that the server did not ask for, ms. */
  readonly maxDelayMs: number;
}

export const defaultRetryLimits: RetryLimits = {
  // Some eight seconds of waits between them: what a server takes to restart, and not much longer than a person does.
  maxAttempts: 7,
  maxRateLimitedAttempts: 20,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
};

export interface RetrySituation {
  /** Attempts made so far, 1 or more. */
  readonly attempts: number;
  /** Time left until the deadline of the whole request, ms; after a 429 with the time that waiting may add to it. */
  readonly remainingMs: number;
  /** In [0, 1). */
  readonly random: number;
}

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  /**
   * `final`: trying again is pointless or unsafe. `attempts`, `deadline`: it was tried enough. `retry-after`: the server
   * asks for a longer wait than the deadline leaves.
   */
  | { readonly retry: false; readonly why: "final" | "attempts" | "deadline" | "retry-after" };

export function retryDecision(
  operation: OperationName,
  end: AttemptEnd,
  { attempts, remainingMs, random }: RetrySituation,
  limits: RetryLimits = defaultRetryLimits,
): RetryDecision {
  if (!mayRetry(operation, end)) return { retry: false, why: "final" };
  const rateLimited = end.kind === "refusal" && end.status === 429;
  if (attempts >= (rateLimited ? limits.maxRateLimitedAttempts : limits.maxAttempts)) {
    return { retry: false, why: "attempts" };
  }
  const askedFor = end.kind === "refusal" ? (end.retryAfterMs ?? 0) : 0;
  if (askedFor >= remainingMs) return { retry: false, why: askedFor > 0 ? "retry-after" : "deadline" };
  // Jitter goes on top of what the server asked for, or all who were told "1 second" would come back together.
  const delayMs = askedFor + random * Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (attempts - 1));
  if (delayMs < remainingMs) return { retry: true, delayMs };
  return askedFor > 0 ? { retry: true, delayMs: askedFor } : { retry: false, why: "deadline" };
}

/** The decision table without clocks and counts. */
function mayRetry(operation: OperationName, end: AttemptEnd): boolean {
  if (end.kind === "not-sent") return true;
  if (end.kind === "unreadable") return false;
  // A 429 is the one answer to anything that was sent which says both "not done" and "try again".
  if (end.kind === "refusal" && end.status === 429) return true;
  if (operations[operation].method === "POST") return false;
  return end.kind === "lost" || [502, 503, 504].includes(end.status);
}

/**
 * Milliseconds that a Retry-After header asks for, from now: it holds seconds or an HTTP date. A date is measured
 * against the answer's own Date header where there is one, so that a wrong clock here or there does no harm. Undefined
 * for a header that is missing or cannot be read.
 */
export function retryAfterMs(header: string | undefined, date: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const until = httpDate(text);
  return until === undefined ? undefined : Math.max(0, until - (httpDate(date ?? "") ?? now));
}

/** ms since the epoch; undefined for what is no HTTP date. Date.parse alone would take "soon 5" for a date in May. */
export function httpDate(text: string): number | undefined {
  return /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) || undefined : undefined;
}
