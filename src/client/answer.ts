/** Reads an answer: its bytes, its JSON, its data or its error. The contract leaves most of this open. */
import { isUtf8 } from "node:buffer";
import { STATUS_CODES } from "node:http";
import { unzipSync } from "node:zlib";
import { codeOf, isObject, parseJson } from "../values/any.js";
import { operations, type Method, type OperationName } from "../contract/index.js";
import { header, type AttemptResult, type Headers, type NoAnswer } from "./attempt.js";
import { retryAfterMs } from "./retry.js";

export type ParsedAnswer = Success | Refusal | NoAnswer;

interface Success {
  readonly kind: "success";
  readonly data: unknown;
  /** Whether it says `success: true`. */
  readonly isEnvelope?: boolean;
}

/** An answer other than a success, in the server's own words: neither shortened nor redacted. */
export interface Refusal extends ErrorBody {
  readonly kind: "refusal";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly location: string | undefined;
}

/** `now` is in ms since the epoch. `maxBytes` is the longest body after decompression. */
export function readAnswer(
  result: AttemptResult,
  operation: OperationName,
  now: number,
  maxBytes: number,
): ParsedAnswer {
  if (result.kind !== "answered") return result;
  const { status, headers } = result;
  const { method, idempotent } = operations[operation];
  const body = decodeBody(result.body, headers, maxBytes);
  const text = body.kind === "text" ? body.text : "";
  if (status >= 300) return readRefusal(status, headers, text, now);
  const json = parseJson(withoutLoneSurrogates(text));
  if (idempotent ? saysFailure(json, method) : isObject(json) && json.success === false)
    return readRefusal(status, headers, text, now);
  if (!idempotent) {
    const bytes = body.kind === "text" ? body : { bytes: result.body, encoding: encodingOf(headers) };
    return { kind: "success", data: wholeAnswer(json, text, bytes) };
  }
  if (body.kind !== "text") return body;
  if (isDeep(json)) {
    return noAnswer("unreadable", `the answer's JSON is nested deeper than ${maxDepth} levels`, "RESPONSE_TOO_DEEP");
  }
  if (method === "GET")
    return { kind: "success", data: listAnswer(json, header(headers, "link")), isEnvelope: isEnvelope(json) };
  // The interface leaves the body of a DELETE open. A page is what a proxy sends in place of the server.
  const isJson = json !== undefined || text.trim() === "" || (method === "DELETE" && !isPage(text));
  if (!isJson) return noAnswer("unreadable", "the answer is not JSON", notJson);
  return { kind: "success", data: dataOf(json) };
}

export const notJson = "NOT_JSON";

/**
 * Whether the answer with a 2xx says that the request failed. Only `success: true` says that it did not, whatever else is there. A body
 * without `success` fails if it names an error. A rotation asks only for `success: false`, because its secret is shown once.
 */
function saysFailure(json: unknown, method: Method): boolean {
  if (!isObject(json)) return json === false;
  // What is set or removed has to be confirmed to the letter.
  if ("success" in json && (method !== "GET" || typeof json.success === "boolean")) return json.success !== true;
  const { ok, error, errors, status } = json;
  const isStatus = typeof status === "number" ? status >= 400 : /^(error|fail(ed|ure)?)$/i.test(textOf(status));
  return ok === false || isStatus || [error, errors].some(isSaid);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Servers also send these members empty. */
function isSaid(value: unknown): boolean {
  return hasMembers(value) ? Object.keys(value).length > 0 : Boolean(value);
}

const isEnvelope = (json: unknown): boolean => isObject(json) && json.success === true;

/** `data` of the envelope. Any other JSON counts as data as a whole. */
function dataOf(json: unknown): unknown {
  return isObject(json) && ("data" in json || "success" in json) ? json.data : json;
}

/** The envelope's other members. */
function besideData(json: unknown): Record<string, unknown> {
  if (!isObject(json) || dataOf(json) === json) return {};
  const { success, data, ...beside } = json;
  return beside;
}

/**
 * All that the answer to a rotation says, because it shows the secret only once, and its status has confirmed the rotation: text that is
 * not JSON too, and what is not text as base64. Undefined if the answer is empty.
 */
function wholeAnswer(json: unknown, text: string, { bytes, encoding }: Bytes): unknown {
  const data = json === undefined || isDeep(json) ? text.trim() || undefined : allOf(json);
  if (encoding === undefined && (json === undefined ? isReadable(text) : isUtf8(bytes))) return data;
  return { ...(isObject(data) && data), base64: bytes.toString("base64"), ...(encoding !== undefined && { encoding }) };
}

/** Members beside `data` are added to it; where both have a member, that of `data` wins. The same for a list. */
function allOf(json: unknown): unknown {
  const [data, beside] = [dataOf(json), besideData(json)];
  if (Object.keys(beside).length === 0) return data;
  return data === undefined || data === null ? beside : isObject(data) ? { ...beside, ...data } : data;
}

/** A list with what the answer says of further pages, which may be beside it or in a header. Undefined only if there is no JSON. */
function listAnswer(json: unknown, link: string | undefined): unknown {
  if (json === undefined) return undefined;
  const data = allOf(json) ?? null;
  const beside = { ...(Array.isArray(data) && besideData(json)), ...(link !== undefined && { link }) };
  if (Object.keys(beside).length === 0) return data;
  return isObject(data) ? { ...beside, ...data } : { ...beside, data };
}

/** Control characters mean binary data. */
function isReadable(text: string): boolean {
  return !/[\p{Cc}\uFFFD]/u.test(text.replaceAll(/\s/g, ""));
}

const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"];

function readRefusal(status: number, headers: Headers, text: string, now: number): Refusal {
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

const isPage = (text: string): boolean => /<(!doctype|html|head|body|title)\b/i.test(text);

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

/** Requests ask for `identity`, but some servers compress anyway. */
const zipped: readonly string[] = ["gzip", "x-gzip", "deflate"];

interface Bytes {
  readonly bytes: Buffer;
  /** Of bytes that could not be decoded. */
  readonly encoding?: string | undefined;
}

type Decoded = (Bytes & { readonly kind: "text"; readonly text: string }) | NoAnswer;

/**
 * A body's text. A damaged body counts as lost, as if its end were missing. A body in any other encoding is read as it came.
 * `maxBytes` is the longest result, so that a small body cannot fill the memory.
 */
function decodeBody(body: Buffer, headers: Headers, maxBytes: number): Decoded {
  const encoding = body.length === 0 ? "identity" : encodingOf(headers);
  if (encoding === "identity") return { kind: "text", text: utf8.decode(body), bytes: body };
  if (!zipped.includes(encoding)) return { kind: "text", text: utf8.decode(body), bytes: body, encoding };
  try {
    const bytes = unzipSync(body, { maxOutputLength: maxBytes });
    return { kind: "text", text: utf8.decode(bytes), bytes };
  } catch (error) {
    return codeOf(error) === "ERR_BUFFER_TOO_LARGE"
      ? noAnswer("unreadable", `the answer is larger than ${maxBytes} bytes`, "RESPONSE_TOO_LARGE")
      : noAnswer("lost", "the answer's compressed body is damaged", "RESPONSE_DAMAGED");
  }
}

function encodingOf(headers: Headers): string {
  return header(headers, "content-encoding")?.trim().toLowerCase() ?? "identity";
}

/** JSON is always UTF-8. */
const utf8 = new TextDecoder();

function noAnswer(kind: NoAnswer["kind"], message: string, code: string): NoAnswer {
  return { kind, error: { message, code } };
}

/** JSON can contain lone surrogates. In the engine's protocol they make the whole message fail. */
function withoutLoneSurrogates(text: string): string {
  if (!text.includes("\\u")) return text;
  return text.replace(
    /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(ud[89a-f][\da-f]{2})|[^])/gi,
    (escape, lone?: string) => (lone === undefined ? escape : "\\ufffd"),
  );
}

/** Levels of arrays and objects. Thousands of levels would overflow the stack of the process that writes the state. */
const maxDepth = 100;

/** Recurses at most `levels` deep itself. */
function isDeep(value: unknown, levels = maxDepth): boolean {
  if (!hasMembers(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeep(item, levels - 1));
  for (const key in value) if (isDeep(value[key], levels - 1)) return true;
  return false;
}

function hasMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
