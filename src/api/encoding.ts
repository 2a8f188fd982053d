/** Bodies that come compressed although nobody asked for it. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib";
import type { TransportFailure } from "./exchange.js";

export type Decoded =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "lost" | "unreadable"; readonly error: TransportFailure };

type Decoder = (body: Buffer, options: ZlibOptions) => Buffer;

const decoders: Readonly<Record<string, Decoder>> = {
  identity: (body) => body,
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateEither,
};

/**
 * A body's text. One that is damaged counts as lost, as if its end were missing; an encoding that is not known here as
 * no text at all.
 *
 * @param encoding the Content-Encoding header
 * @param maxBytes longest result, so that a small body cannot unfold to fill the memory
 */
export function decodeBody(body: Buffer, encoding: string | undefined, maxBytes: number): Decoded {
  if (encoding === undefined || body.length === 0) return { kind: "text", text: body.toString("utf8") };
  const steps = encoding.split(",").map((name) => decoders[name.trim().toLowerCase()]);
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
  return { kind: "text", text: decoded.toString("utf8") };
}

/** By the book `deflate` has a zlib header; some servers leave it out. */
function inflateEither(body: Buffer, options: ZlibOptions): Buffer {
  return ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options);
}

function failure(kind: "lost" | "unreadable", message: string, code: string): Decoded {
  return { kind, error: { message, code } };
}
