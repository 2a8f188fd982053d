/** A request as it came, and the answer to it. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** A request that was read to its end. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** For the journal: whether the request changed something. */
  readonly committed?: boolean;
  /** For the journal: why the request was refused. */
  readonly refusal?: string;
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) };
}

/** @param isCut whether the connection ends after half of the body */
export function send(response: ServerResponse, { status, headers, body }: Answer, isCut = false): void {
  const bytes = Buffer.from(body ?? "");
  response.writeHead(status, { ...headers, ...(status !== 204 && { "Content-Length": bytes.length }) });
  if (!isCut) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
}
