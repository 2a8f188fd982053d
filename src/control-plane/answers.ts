import type { IncomingMessage, ServerResponse } from "node:http";

/** The result of an operation. A dialect turns it into an answer. */
export type Decision =
  | { readonly kind: "success"; readonly data: unknown }
  | { readonly kind: "done" }
  | {
      readonly kind: "failure";
      readonly code: ErrorCode;
      readonly message: string;
      /** The message in the journal, which may have more detail. */
      readonly reason: string;
    };
export type Failure = Extract<Decision, { kind: "failure" }>;

const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNPROCESSABLE_ENTITY: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  SERVICE_UNAVAILABLE: 503,
} as const;
type ErrorCode = keyof typeof errorStatus;

export const failure = (code: ErrorCode, message: string, reason = message): Failure => ({
  kind: "failure",
  code,
  message,
  reason,
});

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const dialects = ["observed", "bare"] as const;
/**
 * How the control plane answers.
 *
 * - `observed`: as a deployed server was observed to answer.
 * - `bare`: the minimum that the interface allows: no data, no error body, and only headers that the interface defines.
 *
 * @category Starting
 * @useDeclaredType
 */
export type Dialect = (typeof dialects)[number];

/** @param headers headers of the observed dialect: request id, rate limit */
export function render(dialect: Dialect, decision: Decision, headers: Readonly<Record<string, string>>): Answer {
  return dialect === "observed" ? observed(decision, headers) : bare(decision);
}

function observed(decision: Decision, headers: Readonly<Record<string, string>>): Answer {
  if (decision.kind === "done") return { status: 204, headers };
  if (decision.kind === "success") return json(200, { success: true, data: decision.data }, headers);
  const { code, message } = decision;
  return json(errorStatus[code], { success: false, error: { code, message } }, headers);
}

function bare(decision: Decision): Answer {
  if (decision.kind === "failure") return { status: errorStatus[decision.code], headers: {} };
  return json(200, { success: true, data: null });
}

/** The answer of a fault: an error envelope if the status has an error code, else a gateway's HTML page. */
export function renderStatus(dialect: Dialect, status: number, headers: Readonly<Record<string, string>>): Answer {
  if (dialect === "bare") return { status, headers };
  const code = (Object.keys(errorStatus) as ErrorCode[]).find((candidate) => errorStatus[candidate] === status);
  if (code !== undefined) return observed(failure(code, "fault set by the admin"), headers);
  const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  return { status, headers: { ...headers, "Content-Type": "text/html" }, body };
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(value) };
}

/** A seed can be longer than the body of any operation. */
const bodyLimitBytes = 1024 * 1024;

/** Reads the body as text. Returns undefined if it is longer than 1 MiB. Rejects if the client disconnects. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Read to the end: a client that is still sending would see a reset instead of the answer.
    if (length <= bodyLimitBytes) chunks.push(chunk);
  }
  return length <= bodyLimitBytes ? Buffer.concat(chunks).toString() : undefined;
}

export function send(response: ServerResponse, answer: Answer): void {
  writeHead(response, answer);
  response.end(answer.body);
}

/** Sends half of the body, then closes the connection. */
export function sendCut(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body ?? "");
  writeHead(response, answer);
  response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
}

function writeHead(response: ServerResponse, answer: Answer): void {
  const length = answer.status === 204 ? {} : { "Content-Length": Buffer.byteLength(answer.body ?? "") };
  response.writeHead(answer.status, { ...answer.headers, ...length });
}
