/** Handles requests to the interface: the checks in their order, the fault, the change with its journal entry, and the answer. */
import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "../contract/index.js";
import { identify, withoutTokens, refuseByEntitlement, refuseByNetwork, refuseByRight } from "./access.js";
import type { AdminRequest } from "./admin.js";
import { renderStatus, type Answer, failure, render, type Dialect, type Decision } from "./answers.js";
import type { ControlDeps } from "./control.js";
import { isCarriedOut, type Fault } from "./faults.js";
import { handlers } from "./handlers.js";
import type { RateStatus } from "./rate-limits.js";
import { organizationOf } from "./seed.js";
import type { RequestEntry } from "./store.js";
import { route, type OperationRoute, type Route } from "./wire.js";

/** How many characters of a body the journal keeps. JSON of this length is never nested too deep to serialize. */
const longestJournalBody = 4096;

export interface HandlerDeps extends ControlDeps {
  readonly dialect: Dialect;
  readonly onRequest: ((request: RequestEntry) => void) | undefined;
  /** Ends the wait of slow requests when the server closes. */
  readonly closing: AbortSignal;
}

interface IncomingRequest extends AdminRequest {
  readonly requestId: string;
}

/** How the server answers one request. A cut answer ends in the middle of its body. */
type Delivery = { readonly kind: "whole" | "cut"; readonly answer: Answer } | { readonly kind: "reset" | "hang" };

/** Stores the change and its journal entry together before anything is sent. */
export async function handleRequest(deps: HandlerDeps, request: IncomingRequest): Promise<Delivery> {
  const { store, clock } = deps;
  const { requestId, method, path, headers } = request;
  const found = route(method, path);
  const operation = "operation" in found ? found.operation : null;
  const fault = operation === null ? undefined : deps.faults.take(operation);
  if (fault !== undefined && fault.latencyMs > 0) {
    await sleep(fault.latencyMs, undefined, { signal: deps.closing });
  }

  const { delivery, entry } = store.transaction(() => {
    const reply = isCarriedOut(fault) ? answer(deps, request, found) : undefined;
    const delivery = deliveryOf(deps, requestId, fault, reply?.answer);
    const entry: RequestEntry = {
      time: clock.timestamp(),
      requestId,
      operation,
      method,
      path: withoutTokens(path, headers.authorization),
      token: identify(headers.authorization) ?? null,
      status: "answer" in delivery ? delivery.answer.status : null,
      committed: reply?.committed ?? false,
      fault: fault?.effect ?? null,
      refusal: reply?.refusal ?? null,
    };
    store.appendToJournal(entry, journalBody(request));
    return { delivery, entry };
  });
  deps.onRequest?.(entry);
  return delivery;
}

function deliveryOf(deps: HandlerDeps, requestId: string, fault: Fault | undefined, answer?: Answer): Delivery {
  if (fault?.effect === "status") return { kind: "whole", answer: statusAnswer(deps, requestId, fault) };
  if (fault?.effect === "hang") return { kind: "hang" };
  if (answer === undefined || fault?.effect === "reset") return { kind: "reset" };
  if (fault?.effect !== "cut") return { kind: "whole", answer };
  return answer.body === undefined ? { kind: "reset" } : { kind: "cut", answer };
}

function statusAnswer(
  { dialect, clock }: HandlerDeps,
  requestId: string,
  { status, retryAfter: wait }: Extract<Fault, { effect: "status" }>,
): Answer {
  const headers = requestIdHeader(dialect, requestId);
  if (wait === undefined) return renderStatus(dialect, status, headers);
  // A date uses the clock of the Date header, because clients compare the two.
  const date = new Date(clock.now().getTime() + wait.seconds * 1000).toUTCString();
  return renderStatus(dialect, status, { ...headers, "Retry-After": wait.as === "date" ? date : String(wait.seconds) });
}

function journalBody({ method, body, headers }: IncomingRequest): string | null {
  if (body === undefined || !["PUT", "PATCH"].includes(method)) return null;
  const text = withoutTokens(body, headers.authorization);
  return text.length > longestJournalBody ? `${text.slice(0, longestJournalBody)}…` : text;
}

interface Reply {
  readonly answer: Answer;
  readonly committed: boolean;
  readonly refusal: string | null;
}

/** Computes the answer and makes the change. Call it inside a transaction. */
function answer(deps: HandlerDeps, request: IncomingRequest, route: Route): Reply {
  const { dialect, store } = deps;
  const idHeader = requestIdHeader(dialect, request.requestId);
  if (route.kind === "unknown-path") {
    const page = { headers: { ...idHeader, "Content-Type": "text/plain" }, body: "404 page not found\n" };
    const answer = { status: 404, ...(dialect === "bare" ? { headers: idHeader } : page) };
    return { answer, committed: false, refusal: "the interface has no such path" };
  }
  if (route.kind === "unknown-method") {
    const { allow } = route;
    const refusal = `the interface has no such method for this path, only ${allow}`;
    return { answer: { status: 405, headers: { ...idHeader, Allow: allow } }, committed: false, refusal };
  }
  const { decision, rate } = decide(deps, request, route);
  const committed = decision.kind !== "failure" && operations[route.operation].method !== "GET";
  if (committed) store.countCommit(route.operation, route.parameter ?? "");
  return {
    answer: render(dialect, decision, { ...idHeader, ...rate?.headers }),
    committed,
    refusal: decision.kind === "failure" ? decision.reason : null,
  };
}

/** Only the observed dialect has a request id: the interface does not define the header. */
export function requestIdHeader(dialect: Dialect, requestId: string): Record<string, string> {
  return dialect === "observed" ? { "X-Request-ID": requestId } : {};
}

/** Runs the checks in the order of a deployed server. Requests refused before the rate limit do not count towards it. */
function decide(
  { store, clock, rates }: HandlerDeps,
  { headers, body, peer }: IncomingRequest,
  { operation, parameter }: OperationRoute,
): { decision: Decision; rate?: RateStatus | undefined } {
  const token = identify(headers.authorization);
  if (token === undefined) return { decision: failure("UNAUTHORIZED", "a valid bearer token is required") };

  const organization = organizationOf(store);
  const blocked = refuseByNetwork(organization, store.list("networkPolicy"), peer);
  if (blocked !== undefined) return { decision: blocked };

  const kind = operations[operation].method === "GET" ? "reads" : "writes";
  const rate = rates.take(organization.rateLimits, token, kind);
  if (rate?.exceeded === true) return { decision: failure("TOO_MANY_REQUESTS", "rate limit exceeded"), rate };

  const refusal = refuseByRight(token, operation) ?? refuseByEntitlement(organization, operation);
  if (refusal !== undefined) return { decision: refusal, rate };
  if (parameter === undefined) {
    return { decision: failure("BAD_REQUEST", "the path is not percent-encoded correctly"), rate };
  }
  const contentType = headers["content-type"];
  return { decision: handlers[operation]({ store, clock, organization, parameter, contentType, body }), rate };
}
