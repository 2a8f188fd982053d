import { operations, type OperationName } from "../contract.js";
import { failure, render, type Answer, type Dialect, type Outcome } from "./answers.js";
import type { Clock } from "./clock.js";
import { refuseByEntitlement, refuseByNetwork, refuseByRight } from "./guards.js";
import { handlers } from "./handlers.js";
import type { RateLimiter, RateStatus } from "./rate-limits.js";
import type { Route } from "./routes.js";
import { organizationOf } from "./seed.js";
import type { Store } from "./store.js";
import { identify } from "./tokens.js";

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
