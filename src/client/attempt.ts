/** One request on one connection: what left, what came back, and how it ended. */
import type { Dispatcher } from "undici";

/** How an exchange ended. It never fails otherwise: every error becomes one of these. */
export type AttemptResult =
  /** `body` is complete if the status is 2xx; otherwise it may be cut off, since the status tells enough. */
  | { readonly kind: "answered"; readonly status: number; readonly headers: Headers; readonly body: Buffer }
  | { readonly kind: "not-sent" | "lost" | "unreadable"; readonly error: TransportFailure };

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's value; the first one where a server sent several. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The two things of a transport's error that are ever looked at. */
export interface TransportFailure {
  readonly message: string;
  readonly code?: string | undefined;
}

/** Enough of an error's body to find its message in, bytes. */
const errorBodyLimit = 64 * 1024;

/**
 * The transport calls `onRequestStart` when a connection stands, immediately before it writes the request: all that goes
 * wrong earlier (name resolution, connecting, TLS, a proxy's CONNECT) is known to have sent nothing.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #end: (ended: AttemptResult) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #finished = false;
  #status = 0;
  #headers: Headers = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /**
   * @param maxBytes longest body of a 2xx answer that is taken in
   * @param end called once
   */
  constructor(maxBytes: number, end: (ended: AttemptResult) => void) {
    this.#maxBytes = maxBytes;
    this.#end = end;
  }

  /** Gives up waiting. A request that is still queued for a connection is not sent any more. */
  stop(failure: TransportFailure): void {
    this.#fail(failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A transport may put a request whose connection died back into its queue. Whether it may go out again is not the
    // transport's decision, so a second start is not allowed; nor is one after nobody waits any more.
    if (this.#finished || this.#controller !== undefined) {
      controller.abort(new Error("the request is over"));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (this.#succeeded && Number(headers["content-length"]) > this.#maxBytes) this.#refuseSize();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#finished) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#succeeded) {
      if (this.#size > this.#maxBytes) this.#refuseSize();
    } else if (this.#size >= errorBodyLimit) {
      this.#answer();
      this.#drop();
    }
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(error);
  }

  get #succeeded(): boolean {
    return this.#status < 300;
  }

  #answer(): void {
    const body = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#finish({ kind: "answered", status: this.#status, headers: this.#headers, body: body ?? Buffer.alloc(0) });
  }

  #fail(error: TransportFailure): void {
    // A status that is no success says what became of the request, even if the rest of the answer is missing.
    if (this.#status >= 300) this.#answer();
    else this.#finish({ kind: this.#wasSent(error) ? "lost" : "not-sent", error });
    this.#drop();
  }

  #refuseSize(): void {
    const message = `the answer is larger than ${this.#maxBytes} bytes`;
    this.#finish({ kind: "unreadable", error: { message, code: "RESPONSE_TOO_LARGE" } });
    this.#drop();
  }

  #wasSent(error: TransportFailure): boolean {
    // A forwarding proxy's 407 arrives as this error, although the request got no further than to the proxy.
    return this.#controller !== undefined && error.code !== "UND_ERR_INVALID_ARG";
  }

  #finish(ended: AttemptResult): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#end(ended);
  }

  /** Closes the connection, with whatever is still on its way. */
  #drop(): void {
    this.#controller?.abort(new Error("the rest is not wanted"));
  }
}
