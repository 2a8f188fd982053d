/** Makes sense of an answer. The interface leaves most of it open, so whatever a server may send has to be understood. */
import type { Method } from "../contract.js";
import { header, type AttemptResult, type Headers, type TransportFailure } from "./attempt.js";
import { decodeBody } from "./encoding.js";
import { readErrorBody, statusNamed, type ErrorBody } from "./error-body.js";
import { isDeep, isObject, maxDepth, parseJson } from "./json.js";
import { withPaginationHints } from "./pagination.js";
import { retryAfterMs } from "./retry.js";

export type ParsedAnswer =
  | { readonly kind: "success"; readonly status: number; readonly data: unknown }
  | ({ readonly kind: "refusal" } & Refusal)
  | { readonly kind: "not-sent" | "lost" | "unreadable"; readonly error: TransportFailure };

/** All of it as the server wrote it: neither bounded nor redacted. */
export interface Refusal extends ErrorBody {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly location: string | undefined;
}

/**
 * @param method of the request: an answer to GET may be one page of several
 * @param now ms since the epoch
 * @param maxBytes longest body after decompression
 */
export function readAnswer(ended: AttemptResult, method: Method, now: () => number, maxBytes: number): ParsedAnswer {
  if (ended.kind !== "answered") return ended;
  const { status, headers } = ended;
  const decoded = decodeBody(
    ended.body,
    header(headers, "content-encoding"),
    header(headers, "content-type"),
    maxBytes,
  );
  if (status >= 300) return refusal(status, headers, decoded.kind === "text" ? decoded.text : "", now);
  if (decoded.kind !== "text") return decoded;
  const json = parseJson(decoded.text);
  // The one way in which a 2xx is no success. Its code stands for the status that it would have had.
  if (isObject(json) && json.success === false) return refusal(status, headers, decoded.text, now);
  if (isDeep(json)) {
    const message = `the answer's JSON is nested deeper than ${maxDepth} levels`;
    return { kind: "unreadable", error: { message, code: "RESPONSE_TOO_DEEP" } };
  }
  if (method === "POST") return { kind: "success", status, data: allOf(json, decoded.text) };
  const data = dataOf(json);
  return { kind: "success", status, data: method === "GET" ? withPaginationHints(data, json, status, headers) : data };
}

/** Longest text that is kept of an answer that is not JSON, characters. */
const maxText = 4096;

/**
 * What a rotation answers is said only once, so a secret beside `data`, or in an answer that is not JSON, counts as well:
 * members beside `data` are added to its own, which win. Undefined where nothing was said.
 */
function allOf(json: unknown, text: string): unknown {
  if (json === undefined) return isReadable(text) ? text.trim() : undefined;
  const data = dataOf(json);
  if (data === json || !isObject(json)) return data;
  const { success, data: same, ...beside } = json;
  if (Object.keys(beside).length === 0) return data;
  return data === undefined || data === null ? beside : isObject(data) ? { ...beside, ...data } : data;
}

function isReadable(text: string): boolean {
  return text.trim() !== "" && text.length <= maxText && !/[\p{Cc}\uFFFD]/u.test(text.replaceAll(/\s/g, ""));
}

/** `data` of the envelope; a JSON value that is no envelope is all data, so that nothing in it is lost. */
function dataOf(json: unknown): unknown {
  return isObject(json) && ("data" in json || "success" in json) ? json.data : json;
}

function refusal(status: number, headers: Headers, body: string, now: () => number): ParsedAnswer {
  const complaint = readErrorBody(body, parseJson(body));
  return {
    kind: "refusal",
    ...complaint,
    status: (status < 300 ? statusNamed(complaint.code) : undefined) ?? status,
    requestId: requestIdHeaders.map((name) => header(headers, name)).find(Boolean),
    retryAfterMs: retryAfterMs(header(headers, "retry-after"), header(headers, "date"), now()),
    location: header(headers, "location"),
  };
}

const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"];
