/** What an answer that is not a success means: whether the request may have been carried out, and the server's own code and words. */
import { STATUS_CODES } from "node:http";
import { hasMembers } from "../values/any.js";
import { header, type Headers, type NoAnswer } from "./attempt.js";
import { isHtml, isReadable } from "./body.js";
import { waitMs } from "./retry.js";

/**
 * Whether the control plane may have carried out the request. `not-sent`: no byte of it was sent. `refused`: the server answered
 * that it did not. `unknown`: it was sent, and no answer says what happened.
 */
export type RequestOutcome = "not-sent" | "refused" | "unknown";

export type FailedAnswer = Refusal | NoAnswer;

/** The statuses that say that the server has done nothing. Any other may come from a proxy, or follow a change that was made. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 411, 413, 414, 415, 422, 429, 431]);

/** The outcome of one failed attempt, regardless of earlier ones. */
export function outcomeOfAttempt(failed: FailedAnswer): RequestOutcome {
  if (failed.kind === "refusal") return refusalStatuses.has(failed.status) ? "refused" : "unknown";
  return failed.kind === "not-sent" ? "not-sent" : "unknown";
}

/** An answer other than a success, in the server's own words: neither shortened nor redacted. */
export interface Refusal extends ErrorBody {
  readonly kind: "refusal";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly location: string | undefined;
}

interface Body {
  readonly text: string;
  readonly json: unknown;
}

const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"];

/** @param body its text, and its JSON if it has any */
export function readRefusal(status: number, headers: Headers, { text, json }: Body, now: number): Refusal {
  const error = json === undefined ? errorOfText(text) : errorOfJson(json);
  return {
    kind: "refusal",
    ...error,
    // A 2xx that says `success: false` counts as the status that its code names.
    status: (status < 300 ? statusNamed(error.code) : undefined) ?? status,
    requestId: requestIdHeaders.map((name) => header(headers, name)).find(Boolean),
    retryAfterMs: waitMs(status, headers, now),
    location: header(headers, "location"),
  };
}

interface ErrorBody {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

/** Known APIs send `{error: {…}}`, `{errors: [{…}]}`, problem JSON, or flat members. */
function errorOfJson(json: unknown): ErrorBody {
  if (typeof json === "string") return { reason: json };
  if (!hasMembers(json)) return {};
  const { error, errors } = json;
  // Servers also send the member that they do not use, empty.
  const candidates = Array.isArray(errors) ? [(errors as unknown[])[0], error] : [error, errors];
  const inner = candidates.find(Boolean);
  if (typeof inner === "string") {
    // In OAuth, `error` is a code if there is a description too.
    const description = firstText(json.error_description, json.message);
    return description === undefined ? { reason: inner } : { code: inner, reason: description };
  }
  const fields = hasMembers(inner) ? inner : json;
  // "about:blank" is how problem JSON says that there is no code. `id` beside a message is a word such as "not_found".
  const type = fields.type === "about:blank" ? undefined : fields.type;
  return {
    code: firstText(fields.code, type, fields.id, fields.status),
    reason: firstText(fields.message, fields.msg, fields.detail, fields.title),
  };
}

function errorOfText(text: string): ErrorBody {
  if (!isReadable(text)) return {};
  if (!isHtml(text)) return { reason: text };
  // No "<" within a tag: otherwise the search in a body of nothing but "<title" would take minutes.
  return { reason: /<title[^<>]*>([^<]*)/i.exec(text)?.[1] ?? /<h1[^<>]*>([^<]*)/i.exec(text)?.[1] };
}

function firstText(...candidates: readonly unknown[]): string | undefined {
  const isText = (one: unknown) => typeof one === "number" || (typeof one === "string" && one.trim() !== "");
  return candidates.filter(isText).map(String)[0];
}

/** Statuses by the codes that servers use for them. */
const statuses: ReadonlyMap<string, number> = new Map([
  ...Object.entries(STATUS_CODES).map(([status, name = ""]) => [codeName(name), Number(status)] as const),
  ["internal_error", 500],
  ["rate_limited", 429],
  ["rate_limit_exceeded", 429],
]);

function statusNamed(code = ""): number | undefined {
  const status = /^\d{3}$/.test(code) ? Number(code) : statuses.get(codeName(code));
  return status !== undefined && status >= 400 && status < 600 ? status : undefined;
}

function codeName(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]+/g, "_");
}
