/** One attempt: one request on one connection, and how it ended. */
import type { Dispatcher } from "undici";
import type { Gate } from "./gate.js";

/** How an attempt ended. Every error becomes one of these. */
export type AttemptResult =
  /** `body` is complete if the status is 2xx. Otherwise it may be cut off, because the status is enough. */
  { readonly kind: "answered"; readonly status: number; readonly headers: Headers; readonly body: Buffer } | NoAnswer;

export interface NoAnswer {
  /**
   * - `not-sent`: definitely not sent: name resolution, connecting, TLS, a proxy's CONNECT.
   * - `lost`: sent, but the answer is missing, cut off or too large: reset, timeout, half a body.
   * - `late`: not sent, and there is no time for another attempt.
   */
  readonly kind: "not-sent" | "late" | "lost";
  readonly error: { readonly message: string; readonly code?: string | undefined };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header's value; the first one if the server sent several. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "object" ? value[0] : value;
}

export const cancelled = { message: "the update was cancelled", code: "CANCELLED" };

/**
 * Handles one request of the transport, which calls `onRequestStart` when it is connected, just before it writes the request. A failure
 * before that (name resolution, connecting, TLS, a proxy's CONNECT) has definitely sent nothing.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  #connection: Dispatcher.DispatchController | undefined;
  #hasEnded = false;
  #isFree = false;
  #status = 0;
  #headers: Headers = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;
  readonly #end = Promise.withResolvers<AttemptResult>();
  readonly ended = this.#end.promise;

  /**
   * @param maxBytes the longest body
   * @param gate asked immediately before the request is written, which may have waited for a connection
   */
  constructor(
    private readonly maxBytes: number,
    private readonly gate: Pick<Gate, "isStopped" | "leave">,
  ) {}

  stop(error: NoAnswer["error"]): void {
    // A status other than 2xx says what happened to the request, even if the rest of the answer is missing.
    if (this.#status >= 300) this.#answer();
    // Only the start of the writing decides, and no error's code.
    else this.#finish({ kind: this.#connection === undefined ? "not-sent" : "lost", error });
    this.#connection?.abort(new Error("the rest is not wanted"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A transport may send a request again if its connection died. Whether to do that is the client's decision, so a second
    // start is refused, and so is a start after the end.
    const isOver = this.#hasEnded || this.#connection !== undefined;
    if (!isOver && !this.gate.isStopped()) {
      this.#connection = controller;
      return;
    }
    if (!isOver) this.#finish({ kind: "not-sent", error: cancelled });
    controller.abort(new Error("the request is over"));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Informational answers may come before the answer itself.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.maxBytes) this.stop({ message: `the answer is larger than ${this.maxBytes} bytes` });
  }

  onResponseEnd(): void {
    this.#answer();
    this.#free();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.stop(error);
    this.#free();
  }

  /**
   * Lets another request have the connection, a turn later. After an answer, the transport first marks its connection as idle, and reads
   * what follows the answer, such as the end of the connection. After an error, it first fails the other requests of the connection.
   */
  #free(): void {
    // For a proxy's 407 to plain http, the transport reports an error, and then the end of the answer.
    if (this.#isFree) return;
    this.#isFree = true;
    setImmediate(() => {
      this.gate.leave();
    });
  }

  #finish(result: AttemptResult): void {
    this.#hasEnded = true;
    this.#end.resolve(result);
  }

  #answer(): void {
    const body = Buffer.concat(this.#chunks);
    this.#finish({ kind: "answered", status: this.#status, headers: this.#headers, body });
  }
}
