import { setTimeout as sleep } from "node:timers/promises";
import { operations, type OperationName } from "../contract/index.js";
import { identify, withoutTokens, refuseByEntitlement, refuseByNetwork, refuseByRight } from "./access.js";
import { renderStatus, type Answer, failure, render, type Dialect, type Outcome } from "./answers.js";
import type { Clock } from "./clock.js";
import { isCarriedOut, type Fault, type Faults } from "./faults.js";
import { handlers } from "./handlers.js";
import type { RateLimiter, RateStatus } from "./rate-limits.js";
import { organizationOf } from "./seed.js";
import type { Store } from "./store.js";
import type { Route } from "./wire.js";

/** How many characters of a body the journal keeps. JSON of this length is never nested too deep to serialize. */
const longestJournalBody = 4096;

export interface HandlerDeps {
  readonly dialect: Dialect;
  readonly store: Store;
  readonly clock: Clock;
  readonly rates: RateLimiter;
  readonly faults: Faults;
  /** Ends the wait of slow requests when the server closes. */
  readonly closing: AbortSignal;
}

export interface IncomingRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly route: Route;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** undefined if the body is longer than the limit. */
  readonly body: string | undefined;
  /** The remote address of the socket. */
  readonly peer: string;
}

/** How the server answers one request. */
export type Delivery =
  | { readonly kind: "whole"; readonly answer: Answer }
  | { readonly kind: "cut"; readonly answer: Answer }
  | { readonly kind: "reset" }
  | { readonly kind: "hang" };

/** Handles one request, with its fault. Stores the change and its journal entry together before anything is sent. */
export async function handleRequest(deps: HandlerDeps, request: IncomingRequest): Promise<Delivery> {
  const { store } = deps;
  const operation = "operation" in request.route ? request.route.operation : null;
  const fault = operation === null ? undefined : deps.faults.take(operation);
  if (fault !== undefined && fault.latencyMs > 0) {
    await sleep(fault.latencyMs, undefined, { signal: deps.closing });
  }

  return store.transaction(() => {
    const reply = isCarriedOut(fault) ? answer(deps, request) : undefined;
    const delivery = deliveryOf(deps, request, fault, reply?.answer);
    store.appendToJournal(
      {
        time: deps.clock.timestamp(),
        requestId: request.requestId,
        operation,
        method: request.method,
        path: withoutTokens(request.path, request.authorization),
        token: identify(request.authorization) ?? null,
        status: "answer" in delivery ? delivery.answer.status : null,
        committed: reply?.committed ?? false,
        refusal: reply?.refusal ?? null,
        fault: fault?.effect ?? null,
      },
      journalBody(request),
    );
    return delivery;
  });
}

function deliveryOf(
  deps: HandlerDeps,
  request: IncomingRequest,
  fault: Fault | undefined,
  answer: Answer | undefined,
): Delivery {
  if (fault?.effect === "status") return { kind: "whole", answer: statusAnswer(deps, request.requestId, fault) };
  if (fault?.effect === "hang") return { kind: "hang" };
  if (answer === undefined || fault?.effect === "reset") return { kind: "reset" };
  if (fault?.effect !== "cut") return { kind: "whole", answer };
  return answer.body === undefined ? { kind: "reset" } : { kind: "cut", answer };
}

function statusAnswer(deps: HandlerDeps, requestId: string, fault: Extract<Fault, { effect: "status" }>): Answer {
  return renderStatus(deps.dialect, fault.status, {
    ...requestIdHeader(deps.dialect, requestId),
    ...(fault.retryAfter === undefined ? {} : { "Retry-After": retryAfter(fault.retryAfter, deps.clock.now()) }),
  });
}

/** A date uses the clock of the Date header, because clients compare the two. */
function retryAfter(wait: { seconds: number; as: "seconds" | "date" }, now: Date): string {
  return wait.as === "seconds" ? String(wait.seconds) : new Date(now.getTime() + wait.seconds * 1000).toUTCString();
}

function journalBody({ method, body, authorization }: IncomingRequest): string | null {
  if (body === undefined || !["PUT", "PATCH"].includes(method)) return null;
  const text = withoutTokens(body, authorization);
  return text.length > longestJournalBody ? `${text.slice(0, longestJournalBody)}…` : text;
}

interface Reply {
  readonly answer: Answer;
  /** Whether the request changed something. */
  readonly committed: boolean;
  /** Why the request was refused, or null. */
  readonly refusal: string | null;
}

/** Computes the answer to one request and makes its change. Call it inside a transaction. */
function answer(deps: HandlerDeps, request: IncomingRequest): Reply {
  const { route } = request;
  const idHeader = requestIdHeader(deps.dialect, request.requestId);
  switch (route.kind) {
    case "unknown-path":
      return refused(notFound(deps.dialect, idHeader), "the interface has no such path");
    case "unknown-method":
      return refused(
        { status: 405, headers: { ...idHeader, Allow: route.allow } },
        `the interface has no such method for this path, only ${route.allow}`,
      );
    case "operation":
    case "bad-parameter": {
      const { outcome, rate } = decide(deps, request, route);
      const headers = { ...idHeader, ...rateHeaders(rate) };
      const committed = outcome.kind !== "failure" && operations[route.operation].method !== "GET";
      if (committed && route.kind === "operation") deps.store.countCommit(route.operation, route.parameter);
      const refusal = outcome.kind === "failure" ? outcome.reason : null;
      return { answer: render(deps.dialect, outcome, headers), committed, refusal };
    }
  }
}

/** Only the observed dialect has a request id: the interface does not define the header. */
export function requestIdHeader(dialect: Dialect, requestId: string): Record<string, string> {
  return dialect === "observed" ? { "X-Request-ID": requestId } : {};
}

/** Runs the checks in the order of a deployed server. Requests refused before the rate limit do not count towards it. */
function decide(
  deps: HandlerDeps,
  request: IncomingRequest,
  route: Extract<Route, { operation: OperationName }>,
): { outcome: Outcome; rate?: RateStatus | undefined } {
  const { store, clock, rates } = deps;
  const { operation } = route;

  const token = identify(request.authorization);
  if (token === undefined) return { outcome: failure("UNAUTHORIZED", "a valid bearer token is required") };

  const organization = organizationOf(store);
  const blocked = refuseByNetwork(organization, store.list("networkPolicy"), request.peer);
  if (blocked !== undefined) return { outcome: blocked };

  const kind = operations[operation].method === "GET" ? "reads" : "writes";
  const rate = rates.take(organization.rateLimits, token, kind);
  if (rate?.exceeded === true) return { outcome: failure("TOO_MANY_REQUESTS", "rate limit exceeded"), rate };

  const refusal = refuseByRight(token, operation) ?? refuseByEntitlement(organization, operation);
  if (refusal !== undefined) return { outcome: refusal, rate };
  if (route.kind === "bad-parameter")
    return { outcome: failure("BAD_REQUEST", "the path is not percent-encoded correctly"), rate };

  const { contentType, body } = request;
  const call = { store, clock, organization, parameter: route.parameter, contentType, body };
  return { outcome: handlers[operation](call), rate };
}

function rateHeaders(rate: RateStatus | undefined): Record<string, string> {
  if (rate === undefined) return {};
  return {
    "X-RateLimit-Limit": String(rate.limit),
    "X-RateLimit-Remaining": String(rate.remaining),
    "X-RateLimit-Reset": String(rate.reset),
    ...(rate.exceeded ? { "Retry-After": String(rate.retryAfter) } : {}),
  };
}

function notFound(dialect: Dialect, headers: Record<string, string>): Answer {
  if (dialect === "bare") return { status: 404, headers };
  return { status: 404, headers: { ...headers, "Content-Type": "text/plain" }, body: "404 page not found\n" };
}

function refused(answer: Answer, refusal: string): Reply {
  return { answer, committed: false, refusal };
}
