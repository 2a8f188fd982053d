/** The text of an answer's body, and its JSON. */
import { unzipSync } from "node:zlib";
import { codeOf, parseJson } from "../values/any.js";
import { header, type Headers, type NoAnswer } from "./attempt.js";

/** Requests ask for `identity`, but some servers compress anyway. */
const zipped: readonly string[] = ["gzip", "x-gzip", "deflate"];

export interface Bytes {
  readonly bytes: Buffer;
  /** The content encoding, if the bytes could not be decoded. */
  readonly encoding?: string | undefined;
}

type Decoded = (Bytes & { readonly kind: "text"; readonly text: string }) | NoAnswer;

/**
 * A body's text. A damaged body counts as lost, as if its end were missing. A body in any other encoding is read as it came.
 * `maxBytes` is the longest result, so that a small body cannot fill the memory.
 */
export function decodeBody(body: Buffer, headers: Headers, maxBytes: number): Decoded {
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

export function encodingOf(headers: Headers): string {
  return header(headers, "content-encoding")?.trim().toLowerCase() ?? "identity";
}

/** JSON is always UTF-8. */
const utf8 = new TextDecoder();

export function noAnswer(kind: NoAnswer["kind"], message: string, code: string): NoAnswer {
  return { kind, error: { message, code } };
}

/** The JSON value without lone surrogates, and with the text of each number that JavaScript would round; undefined if the text is not JSON. */
export function readJson(text: string): unknown {
  const json = parseJson(withoutLoneSurrogates(text));
  if (json === undefined || !/\d{16}|\de/i.test(text)) return json;
  return parseJson(withoutLoneSurrogates(withLargeNumbersAsText(text)));
}

/** A number above 2^53 may be an id or a secret, of which each digit counts. `text` has to be JSON. */
function withLargeNumbersAsText(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') || Math.abs(Number(token)) <= Number.MAX_SAFE_INTEGER ? token : `"${token}"`,
  );
}

/** In the engine's protocol, lone surrogates make the whole message fail. */
function withoutLoneSurrogates(text: string): string {
  if (!text.includes("\\u")) return text;
  return text.replace(
    /\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|(ud[89a-f][\da-f]{2})|[^])/gi,
    (escape, lone?: string) => (lone === undefined ? escape : "\\ufffd"),
  );
}

/** Whether a text is for people: control characters mean binary data. */
export function isReadable(text: string): boolean {
  return !/[\p{Cc}\uFFFD]/u.test(text.replaceAll(/\s/g, ""));
}

export const isHtml = (text: string): boolean => /<(!doctype|html|head|body|title)\b/i.test(text);
