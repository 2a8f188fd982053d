import { setTimeout as sleep } from "node:timers/promises";
import { operations, type OperationName } from "../contract.js";
import { identify, withoutTokens, refuseByEntitlement, refuseByNetwork, refuseByRight } from "./access.js";
import { renderStatus, type Answer, failure, render, type Dialect, type Outcome } from "./answers.js";
import type { Clock } from "./clock.js";
import { isCarriedOut, type Fault, type Faults } from "./faults.js";
import { handlers } from "./handlers.js";
import type { RateLimiter, RateStatus } from "./rate-limits.js";
import { organizationOf } from "./seed.js";
import type { Store } from "./store.js";
import type { Route } from "./wire.js";

/**
 * How much of a body the journal keeps, in characters; the interface's own need some 100. Also what can be told of it again:
 * no JSON of this length is nested too deep to be written.
 */
const longestJournalBody = 4096;

/** How an exchange ends on the wire. */
export type Delivery =
  | { readonly kind: "whole"; readonly answer: Answer }
  | { readonly kind: "cut"; readonly answer: Answer }
  | { readonly kind: "reset" }
  | { readonly kind: "hang" };

export interface HandlerDeps extends ServiceDeps {
  readonly faults: Faults;
  /** Ends the waits of slow requests when the server closes. */
  readonly closing: AbortSignal;
}

export interface IncomingRequest extends ServiceRequest {
  readonly method: string;
  readonly path: string;
}

/**
 * Carries one request out as far as its fault allows. The change and its journal entry are stored together before the
 * ending is known to anybody.
 */
export async function handleRequest(deps: HandlerDeps, request: IncomingRequest): Promise<Delivery> {
  const { store } = deps;
  const operation = operationOf(request.route);
  const fault = operation === null ? undefined : deps.faults.take(operation);
  if (fault !== undefined && fault.latencyMs > 0) {
    await sleep(fault.latencyMs, undefined, { signal: deps.closing });
  }

  return store.transaction(() => {
    const reply = isCarriedOut(fault) ? answer(deps, request) : undefined;
    const ending = endingOf(deps, request, fault, reply?.answer);
    store.appendToJournal(
      {
        time: deps.clock.timestamp(),
        requestId: request.requestId,
        operation,
        method: request.method,
        path: withoutTokens(request.path, request.authorization),
        token: identify(request.authorization) ?? null,
        status: "answer" in ending ? ending.answer.status : null,
        committed: reply?.committed ?? false,
        refusal: reply?.refusal ?? null,
        fault: fault?.effect ?? null,
      },
      journalBody(request),
    );
    return ending;
  });
}

function endingOf(
  deps: HandlerDeps,
  request: ServiceRequest,
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

/** A date is one of the clock that the answer's Date header shows, since clients measure the wait between the two. */
function retryAfter(wait: { seconds: number; as: "seconds" | "date" }, now: Date): string {
  return wait.as === "seconds" ? String(wait.seconds) : new Date(now.getTime() + wait.seconds * 1000).toUTCString();
}

function operationOf(route: Route) {
  return "operation" in route ? route.operation : null;
}

function journalBody({ method, body, authorization }: IncomingRequest): string | null {
  if (body === undefined || !["PUT", "PATCH"].includes(method)) return null;
  const text = withoutTokens(body, authorization);
  return text.length > longestJournalBody ? `${text.slice(0, longestJournalBody)}…` : text;
}

export interface ServiceRequest {
  readonly requestId: string;
  readonly route: Route;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** undefined where it was longer than is accepted. */
  readonly body: string | undefined;
  /** The socket's other end. */
  readonly peer: string;
}

export interface Reply {
  readonly answer: Answer;
  /** Whether something was changed. */
  readonly committed: boolean;
  /** Why it was refused; null where it was not. */
  readonly refusal: string | null;
}

export interface ServiceDeps {
  readonly dialect: Dialect;
  readonly store: Store;
  readonly clock: Clock;
  readonly rates: RateLimiter;
}

/** Answers one request and makes its change. Call inside a transaction, so that both happen or neither. */
export function answer(deps: ServiceDeps, request: ServiceRequest): Reply {
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

/** The observed dialect names every request; the interface knows no such header. */
export function requestIdHeader(dialect: Dialect, requestId: string): Record<string, string> {
  return dialect === "observed" ? { "X-Request-ID": requestId } : {};
}

/** The checks in a deployed server's order. A refused request counts towards the rate limit only if it got that far. */
function decide(
  deps: ServiceDeps,
  request: ServiceRequest,
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
  if (route.kind === "bad-parameter") return { outcome: failure("BAD_REQUEST", "the path is not encoded well"), rate };

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
