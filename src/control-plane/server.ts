/** Answers requests: the page at `/`, the admin below `/_control/`, the interface elsewhere. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { operations, type OperationName } from "../contract/index.js";
import { identify, lackingRight, withoutTokens } from "./access.js";
import { answerAdmin, isForThisMachine } from "./admin.js";
import { jsonAnswer, send, type Answer, type Incoming } from "./answer.js";
import type { Control } from "./control.js";
import { faultText, isCarriedOut, type HeldRequests, type StoredFault } from "./faults.js";
import { RefusedRequest } from "./objects.js";
import { bodyFields, errorCodes, parameterId, handlers, route } from "./operations.js";
import type { JournalEntry, Store } from "./store.js";

interface ServerDeps {
  readonly store: Store;
  readonly held: HeldRequests;
  readonly control: Control;
  readonly expose: boolean;
  readonly onRequest: ((request: Omit<JournalEntry, "id">) => void) | undefined;
  readonly closing: AbortSignal;
}

export function createHttpServer(deps: ServerDeps): Server {
  return createServer((request, response) => {
    answerRequest(deps, request, response).catch((error: unknown) => {
      // The client is gone, or the control plane is closing.
      if (response.destroyed || response.headersSent || deps.closing.aborted) request.socket.destroy();
      else send(response, refusalAnswer(503, (error as Error).message));
    });
  });
}

async function answerRequest(deps: ServerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", url = "" } = request;
  const path = url.split("?", 1)[0] ?? "";
  const body = await text(request);
  const incoming = { request, method, path, query: new URLSearchParams(url.slice(path.length)), body };
  if (path === "/" || path.startsWith("/_control/")) await answerAdmin(deps.control, incoming, response);
  // The tokens are public, and a page of another site could reach the interface under a name of its own that means this machine.
  else if (deps.expose || isForThisMachine(request)) await answerOperation(deps, incoming, response);
  else
    send(response, jsonAnswer(403, { error: "names of this machine only, such as 127.0.0.1, unless it is exposed" }));
}

async function answerOperation(deps: ServerDeps, incoming: Incoming, response: ServerResponse): Promise<void> {
  const { store, held } = deps;
  const { request, method, path } = incoming;
  const requestId = randomUUID();
  const found = route(method, path);
  const operation = "operation" in found ? found.operation : null;
  const fault = operation === null ? undefined : takeFault(store, operation);
  if (fault?.latencyMs !== undefined) await sleep(fault.latencyMs, undefined, { signal: deps.closing });
  if (operation !== null && fault?.hold === "before") await held.hold(operation);

  const { reply, entry } = store.change(() => {
    const isSkipped = fault !== undefined && !isCarriedOut(fault);
    const own: Answer = isSkipped ? { status: 503 } : carryOut(store, incoming, found);
    const isReplaced = isSkipped || fault?.status !== undefined || fault?.body !== undefined;
    // A fault may have a body, and a 204 cannot.
    const reply = isReplaced ? faultAnswer(fault, own.status === 204 ? 200 : own.status) : own;
    const { authorization } = request.headers;
    const entry = {
      time: store.now().toISOString(),
      requestId,
      operation,
      method,
      path: withoutTokens(path, authorization),
      token: identify(authorization) ?? null,
      status: fault?.connection === "hang" || fault?.connection === "reset" ? null : reply.status,
      committed: own.committed ?? false,
      fault: fault === undefined ? null : faultText(fault),
      refusal: own.refusal ?? null,
      body: journalBody(incoming),
    };
    store.append(entry);
    return { reply, entry };
  });
  deps.onRequest?.(entry);
  if (operation !== null && fault?.hold === "after") await held.hold(operation);

  const isCut = fault?.connection === "cut";
  if (fault?.connection === "hang") return;
  if (entry.status === null || (isCut && reply.body === undefined)) {
    request.socket.resetAndDestroy();
    return;
  }
  const wait = fault?.retryAfter === undefined ? {} : { "Retry-After": String(fault.retryAfter) };
  // A deployed server's Date header shows its own clock, which is the adjustable one here.
  const headers = { Date: store.now().toUTCString(), "X-Request-ID": requestId, ...reply.headers, ...wait };
  send(response, { ...reply, headers }, isCut);
}

/** The first fault that matches the operation. It then applies to one request less. */
function takeFault(store: Store, operation: OperationName): StoredFault | undefined {
  const fault = store.data.faults.find((each) => ["*", operation].includes(each.operation));
  if (fault?.count === undefined) return fault;
  const left = fault.count === 1 ? [] : [{ ...fault, count: fault.count - 1 }];
  store.set({ faults: store.data.faults.flatMap((each) => (each === fault ? left : each)) });
  return fault;
}

/** Makes the change. Call it inside {@link Store.change}. */
function carryOut(store: Store, { request, body }: Incoming, found: ReturnType<typeof route>): Answer {
  if ("allow" in found) {
    const Allow = found.allow.join(", ");
    const page = { status: 404, headers: { "Content-Type": "text/plain" }, body: "404 page not found\n" };
    if (Allow === "") return { ...page, refusal: "the interface has no such path" };
    const refusal = `the interface has no such method for this path, only ${Allow}`;
    return { status: 405, headers: { Allow }, refusal };
  }
  const { operation } = found;
  try {
    const token = identify(request.headers.authorization);
    if (token === undefined) throw new RefusedRequest("a valid bearer token is required", 401);
    const { right, method } = operations[operation];
    if (lackingRight(token) === right) {
      const what = right.includes(":") ? "credential scope" : "organization permission";
      throw new RefusedRequest(`${what} required: ${right}`, 403);
    }
    const id = parameterId(found.parameter);
    const now = store.now().toISOString();
    const data = handlers[operation](store.data.records, { id, now, json: () => jsonOf(request, body) });
    const committed = method !== "GET";
    if (committed) store.count(operation, id);
    return { ...(data === undefined ? { status: 204 } : jsonAnswer(200, { success: true, data })), committed };
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    return { ...refusalAnswer(error.status, error.message), refusal: error.reason };
  }
}

function jsonOf({ headers }: IncomingMessage, body: string): unknown {
  if (!/^application\/json(;|$)/i.test(headers["content-type"] ?? "")) {
    throw new RefusedRequest("Content-Type must be application/json");
  }
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new RefusedRequest("the body is not JSON");
  }
}

/** The body for the journal. Fields that the interface does not have may be secret, so their values are not in it. */
function journalBody({ request, body }: Incoming): unknown {
  if (!["PUT", "PATCH"].includes(request.method ?? "")) return null;
  const shown = (_name: string, value: unknown): unknown =>
    typeof value === "string" ? withoutTokens(value, request.headers.authorization).slice(0, 200) : value;
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
  if (body === undefined && errorCodes[status] !== undefined) return refusalAnswer(status, "fault set by the admin");
  if (body !== undefined && typeof body !== "string") return jsonAnswer(status, body);
  return { status, headers: { "Content-Type": "text/html" }, body: body ?? `<h1>${status}</h1>\n` };
}

const refusalAnswer = (status: number, message: string): Answer =>
  jsonAnswer(status, { success: false, error: { code: errorCodes[status], message } });
