import { setTimeout as sleep } from "node:timers/promises";
import { renderStatus, type Answer } from "./answers.js";
import { isCarriedOut, type Fault, type Faults } from "./faults.js";
import type { Route } from "./routes.js";
import { answer, requestIdHeader, type ServiceDeps, type ServiceRequest } from "./service.js";
import { identify, withoutTokens } from "./tokens.js";

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
