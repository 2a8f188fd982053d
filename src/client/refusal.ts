/** Reads an answer that is not a success: its status, and the server's own code and words. */
import { STATUS_CODES } from "node:http";
import { parseJson } from "../values/any.js";
import { header, type Headers } from "./attempt.js";
import { isPage, isReadable, withoutLoneSurrogates } from "./body.js";
import { retryAfterMs } from "./retry.js";

/** An answer other than a success, in the server's own words: neither shortened nor redacted. */
export interface Refusal extends ErrorBody {
  readonly kind: "refusal";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly location: string | undefined;
}

const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"];

export function readRefusal(status: number, headers: Headers, text: string, now: number): Refusal {
  const json = parseJson(withoutLoneSurrogates(text));
  const error = json === undefined ? errorOfText(text) : errorOfJson(json);
  return {
    kind: "refusal",
    ...error,
    // A 2xx that says `success: false` counts as the status that its code names.
    status: (status < 300 ? statusNamed(error.code) : undefined) ?? status,
    requestId: requestIdHeaders.map((name) => header(headers, name)).find(Boolean),
    retryAfterMs: retryAfterMs(header(headers, "retry-after"), header(headers, "date"), now),
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
  const inner = Array.isArray(errors) ? (errors as unknown[])[0] : (error ?? errors);
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
  if (!isPage(text)) return { reason: text };
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

export function hasMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
