/** Answers requests: the page at `/`, the admin below `/_control/`, the interface elsewhere. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { operations, type OperationName } from "../contract/index.js";
import { answerAdmin, jsonAnswer, type Answer, type Incoming } from "./admin.js";
import type { Control, Data, JournalEntry } from "./control.js";
import { faultText, isCarriedOut, type StoredFault } from "./faults.js";
import { RefusedRequest } from "./objects.js";
import { bodyFields, errorCodes, parameterId, handlers, route } from "./operations.js";
import { tokenIn, withoutTokens } from "./tokens.js";

const errorAnswer = (status: number, message: string): Answer =>
  jsonAnswer(status, { success: false, error: { code: errorCodes[status], message } });

type OnRequest = ((request: Omit<JournalEntry, "id">) => void) | undefined;

export function createHttpServer(control: Control, onRequest: OnRequest): Server {
  return createServer((request, response) => {
    answerRequest(control, onRequest, request, response).catch((error: unknown) => {
      // The client is gone, or the control plane is closing.
      if (response.destroyed || response.headersSent || control.closing.aborted) request.socket.destroy();
      else send(response, errorAnswer(503, (error as Error).message));
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
  const { method, path } = incoming;
  const { authorization } = incoming.headers;
  const requestId = randomUUID();
  const found = route(method, path);
  const operation = "operation" in found ? found.operation : null;
  const isAimedAt = operation !== null && control.faults().length > 0;
  const fault = isAimedAt ? control.change((data) => takeFault(data, operation)) : undefined;
  if (fault?.latencyMs !== undefined) await sleep(fault.latencyMs, undefined, { signal: control.closing });
  if (operation !== null && fault?.hold === "before") await control.hold(operation);

  const isSkipped = fault !== undefined && !isCarriedOut(fault);
  const isLost = fault?.connection === "hang" || fault?.connection === "reset";
  const { reply, entry } = control.change((data) => {
    const own: Answer = isSkipped ? { status: 503 } : carryOut(control, data, incoming, found);
    const isReplaced = isSkipped || fault?.status !== undefined || fault?.body !== undefined;
    // A fault may have a body, and a 204 cannot.
    const reply = isReplaced ? faultAnswer(fault, own.status === 204 ? 200 : own.status) : own;
    const entry = {
      time: control.now(),
      requestId,
      operation,
      method,
      path: withoutTokens(path, authorization),
      token: tokenIn(authorization) ?? null,
      status: isLost ? null : reply.status,
      committed: own.committed ?? false,
      fault: fault === undefined ? null : faultText(fault),
      refusal: own.refusal ?? null,
      body: journalBody(incoming),
    };
    data.journal.push({ id: ++data.lastId, ...entry });
    if (data.journal.length > 10_000) data.journal.shift();
    return { reply, entry };
  });
  onRequest?.(entry);
  if (operation !== null && fault?.hold === "after") await control.hold(operation);

  const isCut = fault?.connection === "cut";
  if (fault?.connection === "hang") return;
  if (isLost || (isCut && reply.body === undefined)) {
    response.socket?.resetAndDestroy();
    return;
  }
  const wait = fault?.retryAfter === undefined ? {} : { "Retry-After": String(fault.retryAfter) };
  send(response, { ...reply, headers: { "X-Request-ID": requestId, ...reply.headers, ...wait } }, isCut);
}

/** The first fault that matches the operation. It then applies to one request less. */
function takeFault(data: Data, operation: OperationName): StoredFault | undefined {
  const fault = data.faults.find((each) => ["*", operation].includes(each.operation));
  if (fault?.count === undefined) return fault;
  const left = fault.count === 1 ? [] : [{ ...fault, count: fault.count - 1 }];
  data.faults = data.faults.flatMap((each) => (each === fault ? left : each));
  return fault;
}

/** Makes the change. */
function carryOut(control: Control, data: Data, { headers, body }: Incoming, found: ReturnType<typeof route>): Answer {
  if ("allow" in found) {
    const Allow = found.allow.join(", ");
    const page = { status: 404, headers: { "Content-Type": "text/plain" }, body: "404 page not found\n" };
    if (Allow === "") return { ...page, refusal: "the interface has no such path" };
    const refusal = `the interface has no such method for this path, only ${Allow}`;
    return { status: 405, headers: { Allow }, refusal };
  }
  const { operation } = found;
  try {
    const token = tokenIn(headers.authorization);
    if (token === undefined) throw new RefusedRequest("a valid bearer token is required", 401);
    const { right, method } = operations[operation];
    const what = right.includes(":") ? "credential scope" : "organization permission";
    if (token === "noRights") throw new RefusedRequest(`${what} required: ${right}`, 403);
    const id = parameterId(found.parameter);
    const json = () => jsonOf(headers["content-type"], body);
    const answer = handlers[operation](data.records, { id, now: control.now(), json });
    const committed = method !== "GET";
    if (committed) count(data, operation, id);
    return {
      ...(answer === undefined ? { status: 204 } : jsonAnswer(200, { success: true, data: answer })),
      committed,
    };
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    return { ...errorAnswer(error.status, error.message), refusal: error.reason };
  }
}

function count({ counters }: Data, operation: OperationName, id: string): void {
  const { total, objects } = counters[operation] ?? { total: 0, objects: {} };
  counters[operation] = { total: total + 1, objects: { ...objects, [id]: (objects[id] ?? 0) + 1 } };
}

function jsonOf(contentType = "", body: string): unknown {
  if (!/^application\/json(;|$)/i.test(contentType)) throw new RefusedRequest("Content-Type must be application/json");
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new RefusedRequest("the body is not JSON");
  }
}

/** The body for the journal. Fields that the interface does not have may be secret, so their values are not in it. */
function journalBody({ method, headers, body }: Incoming): unknown {
  if (!["PUT", "PATCH"].includes(method)) return null;
  const shown = (_name: string, value: unknown): unknown =>
    typeof value === "string" ? withoutTokens(value, headers.authorization).slice(0, 200) : value;
  try {
    const json = JSON.parse(body, shown) as unknown;
    if (typeof json !== "object" || json === null || Array.isArray(json)) return "…";
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, bodyFields.has(name) ? value : "…"]));
  } catch {
    return "(not JSON)";
  }
}

/** The answer of a fault: its body, else an error if the status has a code, else a gateway's page. */
function faultAnswer({ status: given, body }: StoredFault, otherwise: number): Answer {
  const status = given ?? otherwise;
  if (body === undefined && errorCodes[status] !== undefined) return errorAnswer(status, "fault set by the admin");
  if (body !== undefined && typeof body !== "string") return jsonAnswer(status, body);
  return { status, headers: { "Content-Type": "text/html" }, body: body ?? `<h1>${status}</h1>\n` };
}
