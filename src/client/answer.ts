/** Reads an answer by the contract: is it a success, and what is its data? If not, what does it say of the request? */
import { isObject, textIn, tried } from "../values/any.js";
import { operations, type OperationName } from "../contract/index.js";
import { header, type AttemptResult, type NoAnswer } from "./attempt.js";

/**
 * Whether the control plane may have carried out the request. `not-sent`: no byte of it was sent. `refused`: the server answered
 * that it did not. `unknown`: it was sent, and no answer says what happened.
 */
export type RequestOutcome = "not-sent" | "refused" | "unknown";

export type Answer = { readonly kind: "success"; readonly data: unknown } | FailedAnswer;
export type FailedAnswer = Refusal | NoAnswer;

/** An answer other than a success, in the server's own words: neither shortened nor redacted. */
export interface Refusal {
  readonly kind: "refusal";
  /** A 2xx is no success if it says so, or if it is no JSON: a login page, for example. */
  readonly status: number;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly requestId: string | undefined;
  /** The wait that the server asks for. */
  readonly retryAfterMs: number;
}

/** The statuses that say that the server has done nothing. Any other may come from a proxy, or follow a change that was made. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 411, 413, 414, 415, 422, 429, 431]);

/** The outcome of one failed attempt, regardless of earlier ones. */
export function outcomeOfAttempt(failed: FailedAnswer): RequestOutcome {
  if (failed.kind === "refusal") return refusalStatuses.has(failed.status) ? "refused" : "unknown";
  return failed.kind === "not-sent" || failed.kind === "late" ? "not-sent" : "unknown";
}

/** JSON is always UTF-8. */
const utf8 = new TextDecoder();

/** @param now ms since the epoch */
export function readAnswer(result: AttemptResult, operation: OperationName, now: number): Answer {
  if (result.kind !== "answered") return result;
  const { status, headers } = result;
  const text = utf8.decode(result.body).trim();
  const json = readJson(text);
  const success = isObject(json) ? json.success : undefined;
  const isConfirmed = operations[operation].idempotent
    ? text === "" || (json !== undefined && (success === true || success === undefined))
    : // The status confirms a rotation, and the answer shows the secret only once.
      success !== false;
  if (status < 300 && isConfirmed) return { kind: "success", data: dataIn(json, text) };
  return {
    kind: "refusal",
    status,
    ...errorIn(json, text),
    requestId: header(headers, "x-request-id"),
    retryAfterMs: waitMs(header(headers, "retry-after"), now),
  };
}

/** The JSON value; undefined if the text is not JSON. */
function readJson(text: string): unknown {
  return tried(() => JSON.parse(text, /\d{16}|\de|\\u/i.test(text) ? carriable : undefined) as unknown);
}

/** A number that JavaScript would round may be an id or a secret, and the engine's protocol cannot carry half of a character. */
function carriable(this: unknown, _key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : source;
  if (typeof value === "string") return value.toWellFormed();
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), member]));
}

/** All that the answer says: `data`, and what is beside it, where a server may put a rotation's secret; text that is no JSON. */
function dataIn(json: unknown, text: string): unknown {
  if (json === undefined) return text === "" ? undefined : text;
  if (!isObject(json)) return json;
  const { success: _, data, ...beside } = json;
  if (isObject(data)) return { ...beside, ...data };
  return data ?? (Object.keys(beside).length > 0 ? beside : undefined);
}

/** The code and the message of the contract's errors; of another body its title, if it is a page, else its text. */
function errorIn(json: unknown, text: string): Pick<Refusal, "code" | "reason"> {
  const error = isObject(json) && isObject(json.error) ? json.error : {};
  const [code, message] = [textIn(error, "code"), textIn(error, "message")];
  if (code !== undefined || message !== undefined) return { code, reason: message };
  // No "<" within a tag: otherwise the search in a body of nothing but "<title" would take minutes.
  return { reason: /<title[^<>]*>([^<]*)/i.exec(text)?.[1] ?? text };
}

/** How long a Retry-After asks to wait, ms: it has seconds or a date. Anything else asks for nothing. */
export function waitMs(retryAfter = "", now: number): number {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  // Date.parse alone would read "soon 5" as a date in May.
  const until = /^\w{3}, .* GMT$/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Math.max(0, (until || now) - now);
}
