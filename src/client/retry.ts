/**
 * Whether and when a request is tried again. A rotation must not run twice: it is never sent again once its bytes may
 * have been sent, except after a 429, which proves that nothing was done.
 */
import { operations, type OperationName } from "../contract/index.js";
import { header, type Headers, type NoAnswer } from "./attempt.js";

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
  failed: FailedAttempt,
  { attempts, remainingMs, random }: RetrySituation,
  limits: RetryLimits = defaultRetryLimits,
): RetryDecision {
  if (!mayRetry(operation, failed)) return { retry: false, why: "final" };
  const maxAttempts = isRateLimited(failed) ? limits.maxRateLimitedAttempts : limits.maxAttempts;
  if (attempts >= maxAttempts) return { retry: false, why: "attempts" };
  const askedForMs = failed.kind === "refusal" ? (failed.retryAfterMs ?? 0) : 0;
  if (askedForMs >= remainingMs) return { retry: false, why: askedForMs > 0 ? "retry-after" : "deadline" };
  // Jitter is added to the wait that the server asked for: otherwise all clients with "1 second" would return together.
  const delayMs = askedForMs + random * Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (attempts - 1));
  if (delayMs < remainingMs) return { retry: true, delayMs };
  return askedForMs > 0 ? { retry: true, delayMs: askedForMs } : { retry: false, why: "deadline" };
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

/**
 * How long the server asks to wait, ms. Answers with 429 name the wait in other headers too. A time is compared
 * with the answer's own Date header if there is one, so that a wrong clock does no harm.
 */
export function waitMs(status: number, headers: Headers, now: number): number | undefined {
  const serverNow = httpDate(header(headers, "date")) ?? now;
  const retryAfter = msUntil(header(headers, "retry-after"), serverNow);
  if (retryAfter !== undefined || status !== 429) return retryAfter;
  const reset = msUntil(header(headers, "ratelimit-reset"), serverNow);
  return exhaustedMs(headers.ratelimit) ?? reset ?? msUntil(header(headers, "x-ratelimit-reset"), serverNow);
}

/** @param text seconds, seconds or milliseconds since the epoch, or a date */
function msUntil(text: string | undefined, now: number): number | undefined {
  const value = text?.trim() ?? "";
  if (!/^\d+(\.\d+)?$/.test(value)) {
    const until = httpDate(value);
    return until === undefined ? undefined : Math.max(0, until - now);
  }
  const number = Number(value);
  // No server asks to wait for thirty years.
  if (number < 1e9) return number * 1000;
  return Math.max(0, (number < 1e12 ? number * 1000 : number) - now);
}

/** The longest wait of a RateLimit header: `"minute";r=0;t=40` for each limit that is used up, or `remaining=0, reset=40` in earlier drafts. */
function exhaustedMs(lines: string | string[] = []): number | undefined {
  const items = [lines].flat().join(",").split(",");
  const waits = items.map((item) => {
    const isUsedUp = /;\s*r=0\b/.test(item);
    return (isUsedUp ? /;\s*t=(\d+)/ : /^\s*reset=(\d+)/).exec(item)?.[1];
  });
  const seconds = waits.filter((wait) => wait !== undefined).map(Number);
  return seconds.length === 0 ? undefined : 1000 * Math.max(...seconds);
}

/** ms since the epoch; undefined if it is not an HTTP date. Date.parse alone would read "soon 5" as a date in May. */
function httpDate(text = ""): number | undefined {
  if (!/^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/.test(text)) return undefined;
  // The oldest format ends with the year and means GMT. Date.parse would read it as local time.
  return Date.parse(/:\d\d \d{4}$/.test(text) ? `${text} GMT` : text) || undefined;
}
