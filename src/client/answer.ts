/** Reads an answer: is it a success, and what is its data? The contract leaves most of this open. */
import { isUtf8 } from "node:buffer";
import { hasMembers, isObject } from "../values/any.js";
import { operations, type OperationName } from "../contract/index.js";
import { header, type AttemptResult } from "./attempt.js";
import { decodeBody, encodingOf, isHtml, isReadable, noAnswer, readJson, type Bytes } from "./body.js";
import { readRefusal, type FailedAnswer } from "./refusal.js";

export type ParsedAnswer = Success | FailedAnswer;

interface Success {
  readonly kind: "success";
  readonly data: unknown;
  /** Whether it says `success: true`. */
  readonly isEnvelope?: boolean;
}

/**
 * @param now ms since the epoch
 * @param maxBytes the longest body after decompression
 */
export function readAnswer(
  result: AttemptResult,
  operation: OperationName,
  now: number,
  maxBytes: number,
): ParsedAnswer {
  if (result.kind !== "answered") return result;
  const { status, headers } = result;
  const body = decodeBody(result.body, headers, maxBytes);
  const text = body.kind === "text" ? body.text : "";
  const json = readJson(text);
  if (status >= 300 || saysFailed(json, operation)) return readRefusal(status, headers, { text, json }, now);
  const { method, idempotent } = operations[operation];
  if (!idempotent) {
    const bytes = body.kind === "text" ? body : { bytes: result.body, encoding: encodingOf(headers) };
    return { kind: "success", data: wholeAnswer(json, text, bytes) };
  }
  if (body.kind !== "text") return body;
  const tooDeep = `the answer's JSON is nested deeper than ${maxAnswerDepth} levels`;
  if (isDeep(json)) return noAnswer("unreadable", tooDeep, "RESPONSE_TOO_DEEP");
  const isEnvelope = isObject(json) && json.success === true;
  if (method === "GET") return { kind: "success", data: listAnswer(json, header(headers, "link")), isEnvelope };
  // The interface leaves the body of a DELETE open. A page is what a proxy sends in place of the server.
  const isJson = json !== undefined || text.trim() === "" || (method === "DELETE" && !isHtml(text));
  if (!isJson) return noAnswer("unreadable", "the answer is not JSON", notJson);
  return { kind: "success", data: dataOf(json) };
}

/** The code of an answer that is not JSON. */
export const notJson = "NOT_JSON";

/**
 * Whether an answer with a 2xx says that the request failed. If it has `success`, that decides, whatever else is there. If not, it fails if it
 * names an error. A rotation fails only with `success: false`, because its secret is shown once.
 */
function saysFailed(json: unknown, operation: OperationName): boolean {
  const { method, idempotent } = operations[operation];
  if (!idempotent) return isObject(json) && json.success === false;
  if (!isObject(json)) return json === false;
  // Only `true` confirms a change. In a list, a `success` that is not a boolean may be any member.
  if ("success" in json && (method !== "GET" || typeof json.success === "boolean")) return json.success !== true;
  return json.ok === false || isFailedStatus(json.status) || namesError(json.error) || namesError(json.errors);
}

function isFailedStatus(status: unknown): boolean {
  if (typeof status === "number") return status >= 400;
  return typeof status === "string" && /^(error|fail(ed|ure)?)$/i.test(status);
}

/** Servers also send these members empty. */
function namesError(value: unknown): boolean {
  return hasMembers(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** `data` of the envelope. Other JSON is data as a whole. */
function dataOf(json: unknown): unknown {
  return isObject(json) && ("data" in json || "success" in json) ? json.data : json;
}

/** What the envelope has beside `data` and `success`. */
function besideData(json: unknown): Record<string, unknown> {
  if (!isObject(json) || dataOf(json) === json) return {};
  const { success, data, ...beside } = json;
  return beside;
}

/**
 * All that the answer to a rotation says. Its status has confirmed the rotation, and it shows the secret only once, so text that is not JSON
 * counts too, and what is not text is added as base64. Undefined if the answer is empty.
 */
function wholeAnswer(json: unknown, text: string, { bytes, encoding }: Bytes): unknown {
  const data = json === undefined || isDeep(json) ? text.trim() || undefined : allOf(json);
  const isWhole = encoding === undefined && (json === undefined ? isReadable(text) : isUtf8(bytes));
  if (isWhole) return data;
  return { ...(isObject(data) && data), base64: bytes.toString("base64"), ...(encoding !== undefined && { encoding }) };
}

/** `data` with the members beside it, if it can have members. Where both have a member of one name, that of `data` wins. */
function allOf(json: unknown): unknown {
  const data = dataOf(json);
  const beside = besideData(json);
  if (Object.keys(beside).length === 0) return data;
  return data === undefined || data === null ? beside : isObject(data) ? { ...beside, ...data } : data;
}

/** A list with what the answer says of further pages, which may be beside it or in a header. Undefined only if there is no JSON. */
function listAnswer(json: unknown, link: string | undefined): unknown {
  if (json === undefined) return undefined;
  const data = allOf(json) ?? null;
  const added = { ...(Array.isArray(data) && besideData(json)), ...(link !== undefined && { link }) };
  if (Object.keys(added).length === 0) return data;
  return isObject(data) ? { ...added, ...data } : { ...added, data };
}

/** The most levels of arrays and objects: thousands would overflow the stack of the process that writes the state. */
const maxAnswerDepth = 100;

/** Whether the value has more than `levels`. It looks no deeper, so it cannot overflow the stack itself. */
function isDeep(value: unknown, levels = maxAnswerDepth): boolean {
  if (!hasMembers(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeep(item, levels - 1));
  for (const key in value) if (isDeep(value[key], levels - 1)) return true;
  return false;
}
