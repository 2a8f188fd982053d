import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answers.js";

/** Far above what any of the five operations needs; a seed may be longer than an operation's body. */
const bodyLimitBytes = 1024 * 1024;

/** The whole body as text; undefined where it is longer than 1 MiB. Rejects where the client goes away. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Read on to the end: a client that is still sending would see a reset instead of the answer.
    if (length <= bodyLimitBytes) chunks.push(chunk);
  }
  return length <= bodyLimitBytes ? Buffer.concat(chunks).toString() : undefined;
}

export function send(response: ServerResponse, answer: Answer): void {
  writeHead(response, answer);
  response.end(answer.body);
}

/** Half of the body, then the end of the connection. */
export function sendCut(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body ?? "");
  writeHead(response, answer);
  response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
}

function writeHead(response: ServerResponse, answer: Answer): void {
  const length = answer.status === 204 ? {} : { "Content-Length": Buffer.byteLength(answer.body ?? "") };
  response.writeHead(answer.status, { ...answer.headers, ...length });
}
