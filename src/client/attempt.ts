/** One attempt: one request on one connection, and how it ended. */
import type { Dispatcher } from "undici";

/** How an attempt ended. Every error becomes one of these. */
export type AttemptResult =
  /** `body` is complete if the status is 2xx. Otherwise it may be cut off, since the status says enough. */
  { readonly kind: "answered"; readonly status: number; readonly headers: Headers; readonly body: Buffer } | NoAnswer;

export interface NoAnswer {
  /**
   * - `not-sent`: surely not sent: name resolution, connecting, TLS, a proxy.
   * - `lost`: sent, but the answer is missing or cut off: reset, timeout, half a body.
   * - `unreadable`: answered, but the answer cannot be used, and the next one would be the same.
   */
  readonly kind: "not-sent" | "lost" | "unreadable";
  readonly error: TransportFailure;
}

/** Nothing else of a transport's error is used. */
export interface TransportFailure {
  readonly message: string;
  readonly code?: string | undefined;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's value; the first one if the server sent several. */
export function header(headers: Headers, name: string): string | undefined {
  return [headers[name]].flat()[0];
}

/**
 * Handles one request of the transport. `maxBytes` is the longest body of a 2xx answer. `onEnd` is called once. `stop`
 * ends the attempt: a request that is still queued for a connection is not sent any more.
 *
 * The transport calls `onRequestStart` when a connection stands, just before it writes the request. Whatever fails
 * earlier (name resolution, connecting, TLS, a proxy's CONNECT) has surely sent nothing.
 */
export function startAttempt(
  maxBytes: number,
  onEnd: (result: AttemptResult) => void,
): Dispatcher.DispatchHandler & { stop(error: TransportFailure): void } {
  let connection: Dispatcher.DispatchController | undefined;
  let hasEnded = false;
  let status = 0;
  let headers: Headers = {};
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (result: AttemptResult): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(result);
  };
  const answer = (): void => {
    end({ kind: "answered", status, headers, body: Buffer.concat(chunks) });
  };
  const disconnect = (): void => {
    connection?.abort(new Error("the rest is not wanted"));
  };
  const refuseSize = (): void => {
    const message = `the answer is larger than ${maxBytes} bytes`;
    end({ kind: "unreadable", error: { message, code: "RESPONSE_TOO_LARGE" } });
    disconnect();
  };
  const stop = (error: TransportFailure): void => {
    // A proxy's 407 to plain http arrives as this code, although the request did not get past the proxy.
    const maybeSent = connection !== undefined && error.code !== "UND_ERR_INVALID_ARG";
    // A status other than 2xx says what happened to the request, even if the rest of the answer is missing.
    if (status >= 300) answer();
    else end({ kind: maybeSent ? "lost" : "not-sent", error });
    disconnect();
  };
  return {
    stop,
    onRequestStart(controller) {
      // A transport may send a request again if its connection died. That is not the transport's decision, so a second
      // start is refused, and so is a start after the end.
      if (hasEnded || connection !== undefined) controller.abort(new Error("the request is over"));
      else connection = controller;
    },
    onResponseStart(_controller, newStatus, newHeaders) {
      if (newStatus < 200) return;
      [status, headers] = [newStatus, newHeaders];
      if (status < 300 && Number(headers["content-length"]) > maxBytes) refuseSize();
    },
    onResponseData(_controller, chunk) {
      if (hasEnded) return;
      chunks.push(chunk);
      size += chunk.length;
      if (status < 300 && size > maxBytes) refuseSize();
      // This is enough of an error's body to find its message.
      if (status >= 300 && size >= 64 * 1024) stop(new Error());
    },
    onResponseEnd: answer,
    onResponseError: (_controller, error) => {
      stop(error);
    },
  };
}
