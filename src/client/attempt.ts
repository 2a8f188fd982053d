/** One attempt: one request on one connection, and how it ended. */
import type { Dispatcher } from "undici";

/** How an attempt ended. Every error becomes one of these. */
export type AttemptResult =
  /** `body` is complete if the status is 2xx. Otherwise it may be cut off, because the status is enough. */
  { readonly kind: "answered"; readonly status: number; readonly headers: Headers; readonly body: Buffer } | NoAnswer;

export interface NoAnswer {
  /**
   * - `not-sent`: definitely not sent: name resolution, connecting, TLS, a proxy's CONNECT.
   * - `lost`: sent, but the answer is missing or cut off: reset, timeout, half a body.
   * - `unreadable`: answered, but the answer cannot be used, and the next one would be the same.
   */
  readonly kind: "not-sent" | "lost" | "unreadable";
  readonly error: TransportError;
}

interface TransportError {
  readonly message: string;
  readonly code?: string | undefined;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's value; the first one if the server sent several. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value[0] : value;
}

export const cancelled = { message: "the update was cancelled", code: "CANCELLED" };

/** Why a request has never left, by the end of its wait. */
export const notSent = {
  late: { message: "its turn did not come in time: lower the parallelism, or run it again later", code: "TIMEOUT" },
  stopped: cancelled,
};

/** The transport's words for a 407 to a request of plain http: a proxy has not passed it on. */
const asksForPassword = "Proxy Authentication Required (407)";

interface AttemptEvents {
  /** Called once. */
  readonly onEnd: (result: AttemptResult) => void;
  /** Called once, when another request may have the connection. */
  readonly onFree: () => void;
  /** Called immediately before the request is written, which may have waited for a connection. Returns why it must not be sent any more. */
  readonly beforeSending: () => string | undefined;
}

/**
 * Handles one request of the transport, which calls `onRequestStart` when it is connected, just before it writes the request. A failure
 * before that (name resolution, connecting, TLS, a proxy's CONNECT) has definitely sent nothing.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #on: AttemptEvents;
  #connection: Dispatcher.DispatchController | undefined;
  #hasEnded = false;
  #isFree = false;
  #status = 0;
  #headers: Headers = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** @param maxBytes the longest body of a 2xx answer */
  constructor(maxBytes: number, on: AttemptEvents) {
    this.#maxBytes = maxBytes;
    this.#on = on;
  }

  stop(error: TransportError): void {
    // A status other than 2xx says what happened to the request, even if the rest of the answer is missing.
    if (this.#status >= 300) this.#answer();
    // Only the start of the writing decides, and no error's code.
    else this.#end({ kind: this.#connection === undefined ? "not-sent" : "lost", error });
    this.#disconnect();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A transport may send a request again if its connection died. Whether to do that is the client's decision, so a second
    // start is refused, and so is a start after the end.
    const isOver = this.#hasEnded || this.#connection !== undefined;
    const whyNot = isOver ? undefined : this.#on.beforeSending();
    if (whyNot !== undefined) this.#end({ kind: "not-sent", error: { message: whyNot } });
    if (isOver || whyNot !== undefined) controller.abort(new Error("the request is over"));
    else this.#connection = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Informational answers may come before the answer itself.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status < 300 && Number(headers["content-length"]) > this.#maxBytes) this.#refuseSize();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#status < 300 && this.#size > this.#maxBytes) this.#refuseSize();
    // This is enough of an error's body to find its message.
    if (this.#status < 300 || this.#size < 64 * 1024) return;
    this.#answer();
    this.#disconnect();
  }

  onResponseEnd(): void {
    this.#answer();
    this.#free();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (error.message.startsWith(asksForPassword)) this.#end({ kind: "not-sent", error: { message: asksForPassword } });
    this.stop(error);
    this.#free();
  }

  /**
   * Calls `onFree` a turn later. After an answer, the transport first marks its connection as idle, and reads what follows the answer, such as
   * the end of the connection. After an error, it first fails the other requests of the connection.
   */
  #free(): void {
    // For a proxy's 407 to plain http, the transport reports an error, and then the end of the answer.
    if (!this.#isFree) setImmediate(this.#on.onFree);
    this.#isFree = true;
  }

  #end(result: AttemptResult): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#on.onEnd(result);
  }

  #answer(): void {
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.#end({ kind: "answered", status: this.#status, headers: this.#headers, body });
  }

  #refuseSize(): void {
    const message = `the answer is larger than ${this.#maxBytes} bytes`;
    this.#end({ kind: "unreadable", error: { message, code: "RESPONSE_TOO_LARGE" } });
    this.#disconnect();
  }

  #disconnect(): void {
    this.#connection?.abort(new Error("the rest is not wanted"));
  }
}
