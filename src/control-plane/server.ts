/** Answers requests: the page at `/`, the admin below `/_control/`, the interface elsewhere. */
import { randomUUID } from "node:crypto";
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "../contract/index.js";
import { answerAdmin, jsonAnswer, type Answer, type Incoming } from "./admin.js";
import type { Control, Data, JournalEntry } from "./control.js";
import { faultText, isCarriedOut, type StoredFault } from "./faults.js";
import { RefusedRequest } from "./objects.js";
import { handlers, route } from "./operations.js";

/** The development tokens. They are the same on every machine and not secret. */
export const tokens = {
  /** Has all rights. */
  full: "vp_dev_full",
  /** Has all rights too: to try a change of the token. */
  secondFull: "vp_dev_second_full",
  /** Lacks the right of every operation. */
  noRights: "vp_dev_no_rights",
} as const;

/** The name of a development token. */
export type TokenName = keyof typeof tokens;

const bearerToken = (authorization = ""): string | undefined => /^bearer +(\S+) *$/i.exec(authorization)?.[1];

const tokenName = (token: string | undefined): TokenName | undefined =>
  (Object.keys(tokens) as TokenName[]).find((name) => tokens[name] === token);

/** The code is the status in words, such as SERVICE_UNAVAILABLE. */
const errorAnswer = (status: number, message: string): Answer =>
  jsonAnswer(status, {
    success: false,
    error: { code: STATUS_CODES[status]?.toUpperCase().replaceAll(" ", "_"), message },
  });

type OnRequest = ((request: JournalEntry) => void) | undefined;

export function createHttpServer(control: Control, onRequest: OnRequest): Server {
  return createServer((request, response) => {
    answerRequest(control, onRequest, request, response).catch((error: unknown) => {
      // Nobody gets it if the client is gone, or if the control plane is closing.
      send(response, errorAnswer(503, (error as Error).message));
    });
  });
}

async function answerRequest(
  control: Control,
  onRequest: OnRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", url = "", headers } = request;
  const path = url.split("?", 1)[0] ?? "";
  const body = await text(request);
  const incoming = { headers, method, path, query: new URLSearchParams(url.slice(path.length)), body };
  if (path === "/" || path.startsWith("/_control/")) send(response, await answerAdmin(control, incoming));
  else await answerOperation(control, onRequest, incoming, response);
}

/** @param isCut whether the connection ends after half of the body */
function send(response: ServerResponse, { status, headers, body }: Answer, isCut = false): void {
  const bytes = Buffer.from(body ?? "");
  response.writeHead(status, { ...headers, ...(status !== 204 && { "Content-Length": bytes.length }) });
  if (!isCut) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
}

async function answerOperation(
  control: Control,
  onRequest: OnRequest,
  incoming: Incoming,
  response: ServerResponse,
): Promise<void> {
  const { method, path, body } = incoming;
  const requestId = randomUUID();
  const found = route(method, path);
  const operation = found?.operation ?? null;
  const fault = operation === null ? undefined : control.takeFault(operation);
  if (fault?.latencyMs !== undefined) await sleep(fault.latencyMs, undefined, { signal: control.closing });
  if (operation !== null && fault?.hold === "before") await control.hold(operation);

  const token = bearerToken(incoming.headers.authorization);
  const name = tokenName(token);
  const withoutToken = (text: string) => (token === undefined ? text : text.replaceAll(token, "[token]"));
  const isLost = fault?.connection === "hang" || fault?.connection === "reset";
  const { reply, entry } = control.change((data) => {
    const isDone = fault === undefined || isCarriedOut(fault);
    const own: Answer = isDone ? carryOut(control, data, incoming, found, name) : { status: 503 };
    const reply = fault === undefined ? own : faultAnswer(fault, own);
    const entry: JournalEntry = {
      time: control.now(),
      requestId,
      operation,
      method,
      path: withoutToken(path),
      token: name ?? null,
      status: isLost ? null : reply.status,
      committed: own.committed ?? false,
      fault: fault === undefined ? null : faultText(fault),
      refusal: own.refusal ?? null,
      body: jsonIn(withoutToken(body)) ?? null,
    };
    data.journal.push(entry);
    if (data.journal.length > 10_000) data.journal.shift();
    return { reply, entry };
  });
  onRequest?.(entry);
  if (operation !== null && fault?.hold === "after") await control.hold(operation);

  const wait = fault?.retryAfter === undefined ? {} : { "Retry-After": String(fault.retryAfter) };
  const headers = { "X-Request-ID": requestId, ...reply.headers, ...wait };
  if (fault?.connection === "reset") response.socket?.resetAndDestroy();
  else if (!isLost) send(response, { ...reply, headers }, fault?.connection === "cut");
}

/** Makes the change. */
function carryOut(
  control: Control,
  data: Data,
  { body }: Incoming,
  found: ReturnType<typeof route>,
  token: TokenName | undefined,
): Answer {
  if (found === undefined) {
    const refusal = "the interface has no such path or method";
    return { status: 404, headers: { "Content-Type": "text/plain" }, body: "404 page not found\n", refusal };
  }
  const { operation, id } = found;
  const { right, method } = operations[operation];
  try {
    if (token === undefined) throw new RefusedRequest("a valid bearer token is required", 401);
    const what = right.includes(":") ? "credential scope" : "organization permission";
    if (token === "noRights") throw new RefusedRequest(`${what} required: ${right}`, 403);
    const answer = handlers[operation](data.records, { id, now: control.now(), body: jsonIn(body) });
    return {
      ...(answer === undefined ? { status: 204 } : jsonAnswer(200, { success: true, data: answer })),
      committed: method !== "GET",
    };
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    return { ...errorAnswer(error.status, error.message), refusal: error.message };
  }
}

/** The value; undefined if the text is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The answer with a fault: its body, else an error or a gateway's page for its status. */
function faultAnswer(fault: StoredFault, own: Answer): Answer {
  const { body } = fault;
  const isReplaced = !isCarriedOut(fault) || fault.status !== undefined || body !== undefined;
  if (!isReplaced) return own;
  const status = fault.status ?? own.status;
  if (body !== undefined && typeof body !== "string") return jsonAnswer(status, body);
  const isOfServer = status >= 400 && status !== 502 && status !== 504;
  if (body === undefined && isOfServer) return errorAnswer(status, "fault set by the admin");
  return { status, headers: { "Content-Type": "text/html" }, body: body ?? `<h1>${status}</h1>\n` };
}
