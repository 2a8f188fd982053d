import { STATUS_CODES } from "node:http";

/** What a server has to say about a request that it did not carry out, in whichever shape it says it. */

export interface ErrorBody {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  /** The reason is the whole body, be it meant for people or not. */
  readonly isBody?: boolean;
}

/** The statuses by the names that servers give them as codes. */
const statuses: ReadonlyMap<string, number> = new Map([
  ...Object.entries(STATUS_CODES).map(([status, name = ""]) => [codeName(name), Number(status)] as const),
  ["internal_error", 500],
  ["rate_limited", 429],
  ["rate_limit_exceeded", 429],
]);

/** The status that a refusal would have had, where a server answers every request with 200; undefined where none is named. */
export function statusNamed(code: string | undefined): number | undefined {
  if (code === undefined) return undefined;
  const status = /^\d{3}$/.test(code) ? Number(code) : statuses.get(codeName(code));
  return status !== undefined && status >= 400 && status < 600 ? status : undefined;
}

function codeName(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]+/g, "_");
}

/** @param json the body as JSON, undefined where it is none */
export function readErrorBody(body: string, json: unknown): ErrorBody {
  return json === undefined ? fromText(body) : fromJson(json);
}

/** Where known APIs keep a code and a text: `{error: {…}}`, `{errors: [{…}]}`, problem JSON, or flat. */
function fromJson(json: unknown): ErrorBody {
  if (typeof json === "string") return { reason: json, isBody: true };
  if (typeof json !== "object" || json === null) return {};
  const body = json as Record<string, unknown>;
  const { error, errors } = body;
  const inner = Array.isArray(errors) ? (errors as unknown[])[0] : (error ?? errors);
  if (typeof inner === "string") {
    // OAuth's way: `error` is a code if a description stands beside it.
    const description = text(body.error_description, body.message);
    return description === undefined ? { reason: inner } : { code: inner, reason: description };
  }
  return fromFields(typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : body);
}

function fromFields(fields: Record<string, unknown>): ErrorBody {
  // With a message beside it, a bare `id` is a word such as "not_found".
  return {
    // "about:blank" is problem JSON's way to say that there is no code beside the status.
    code: text(fields.code, fields.type === "about:blank" ? undefined : fields.type, fields.id, fields.status),
    reason: text(fields.message, fields.msg, fields.detail, fields.title),
  };
}

function fromText(body: string): ErrorBody {
  if (!/<(!doctype|html|head|body|title)\b/i.test(body)) return { reason: body, isBody: true };
  // No tag may hold another "<", or a body of nothing but "<title" would take minutes to search.
  const title = /<title[^<>]*>([^<]*)/i.exec(body)?.[1] ?? /<h1[^<>]*>([^<]*)/i.exec(body)?.[1];
  return { reason: title };
}

function text(...candidates: readonly unknown[]): string | undefined {
  for (const candidate of candidates) {
    if (typeof candidate === "string" && candidate.trim() !== "") return candidate;
    if (typeof candidate === "number") return String(candidate);
  }
  return undefined;
}
