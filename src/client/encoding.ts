/** From the bytes of a body to its text: bodies may come compressed although nobody asked for it, and not in UTF-8. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib";
import type { TransportFailure } from "./attempt.js";

export type Decoded =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "lost" | "unreadable"; readonly error: TransportFailure };

type Decoder = (body: Buffer, options: ZlibOptions) => Buffer;

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["identity", (body) => body],
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["br", brotliDecompressSync],
  ["deflate", inflateEither],
]);

/** Each one may unfold to the whole of `maxBytes`, and a header has room for thousands of them. */
const maxEncodings = 4;

/**
 * A body's text. One that is damaged counts as lost, as if its end were missing; an encoding that is not known here as
 * no text at all.
 *
 * @param encoding the Content-Encoding header
 * @param contentType the Content-Type header, for its charset; UTF-8 where it names none that is known
 * @param maxBytes longest result, so that a small body cannot unfold to fill the memory
 */
export function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  contentType: string | undefined,
  maxBytes: number,
): Decoded {
  if (encoding === undefined || body.length === 0) return { kind: "text", text: textOf(body, contentType) };
  const steps = encoding.split(",").map((name) => decoders.get(name.trim().toLowerCase()));
  if (steps.length > maxEncodings) return { kind: "text", text: "" };
  let decoded = body;
  // Encodings are named in the order in which they were applied.
  for (const step of steps.reverse()) {
    if (step === undefined) return { kind: "text", text: "" };
    try {
      decoded = step(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE"
        ? failure("unreadable", `the answer is larger than ${maxBytes} bytes`, "RESPONSE_TOO_LARGE")
        : failure("lost", "the answer's compressed body is damaged", "RESPONSE_DAMAGED");
    }
  }
  return { kind: "text", text: textOf(decoded, contentType) };
}

function textOf(body: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset="?([\w-]+)/i.exec(contentType ?? "")?.[1]?.toLowerCase();
  if (charset === undefined || charset === "utf-8") return body.toString("utf8");
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString("utf8");
  }
}

/** By the book `deflate` has a zlib header; some servers leave it out. */
function inflateEither(body: Buffer, options: ZlibOptions): Buffer {
  return ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options);
}

function failure(kind: "lost" | "unreadable", message: string, code: string): Decoded {
  return { kind, error: { message, code } };
}
