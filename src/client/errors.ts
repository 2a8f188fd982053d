/** The errors of requests. They never contain a header or a body, so printing one is safe. */
import type { Method, OperationName } from "../contract/index.js";
import type { Refusal } from "./refusal.js";
import {
  apiDiagnostic,
  notTls,
  transportDiagnostic,
  type ApiErrorFacts,
  type RequestFacts,
  type TransportErrorFacts,
} from "./error-texts.js";
import { outcomeOfAttempt, outcomeOfStatus, type Failure, type RequestOutcome } from "./outcome.js";
import { messageOf } from "../values/any.js";
import { diagnosticText, problem, type Diagnostic } from "../values/diagnostic.js";
import { cleanText, maskedText, redact } from "../values/text.js";
import type { RetryDecision } from "./retry.js";
import type { Environment } from "../values/environment.js";
import { proxiesSet } from "./settings.js";

/** Node and Pulumi print an error's stack. A trace does not help users here, so the stack is the text. */
class TidyError extends Error {
  constructor(name: string, message: string) {
    super(message);
    // Not enumerable, as on any Error: otherwise they are printed twice.
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
    Object.defineProperty(this, "stack", { value: `${name}: ${message}`, configurable: true, writable: true });
  }
}

abstract class RequestError extends TidyError {
  readonly operation: OperationName;
  readonly method: Method;
  /** Relative to the base URL, as it was sent. */
  readonly path: string;
  /** Times that the request was tried, 1 or more. */
  readonly attempts: number;
  /** The message: its text is what happened, and its advice what to do. */
  readonly diagnostic: Diagnostic;
  abstract readonly outcome: RequestOutcome;

  constructor(name: string, facts: RequestFacts, diagnostic: Diagnostic) {
    super(name, diagnosticText(diagnostic));
    ({ operation: this.operation, method: this.method, path: this.path } = facts);
    this.attempts = facts.attempts;
    this.diagnostic = diagnostic;
  }
}

/** The server answered, and the answer is not a success. */
export class ApiError extends RequestError {
  /** HTTP status. A 2xx is possible: an answer may say `success: false`. */
  readonly status: number;
  /** The server's own code, such as `FORBIDDEN`. */
  readonly code: string | undefined;
  /** The server's own words. */
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfter: number | undefined;
  /** By the status, or "unknown" if an earlier attempt got no answer. */
  readonly outcome: "refused" | "unknown";

  constructor(facts: ApiErrorFacts) {
    super("ApiError", facts, apiDiagnostic(facts));
    ({ status: this.status, code: this.code, reason: this.reason } = facts);
    ({ requestId: this.requestId, retryAfter: this.retryAfter } = facts);
    this.outcome = facts.mayHaveBeenApplied === true ? "unknown" : outcomeOfStatus(facts);
  }
}

/** There is no usable answer: the request did not reach the server, or its answer was lost. */
export class TransportError extends RequestError {
  /** The transport's code, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
  readonly outcome: "not-sent" | "unknown";

  constructor(facts: TransportErrorFacts) {
    super("TransportError", facts, transportDiagnostic(facts));
    ({ code: this.code, outcome: this.outcome } = facts);
  }
}

/** Settings or arguments make a request impossible; nothing was sent. */
export class ConfigError extends TidyError {
  readonly problems: readonly Diagnostic[];

  constructor(...problems: Diagnostic[]) {
    super("ConfigError", problems.map(diagnosticText).join("\n"));
    this.problems = problems;
  }
}

/** The outcome of the request that ended with this error: `unknown` for an error that is not the client's own. */
export function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof RequestError) return error.outcome;
  return error instanceof ConfigError ? "not-sent" : "unknown";
}

/** What is wrong, by an error of the client. */
export function problemsIn(error: unknown): readonly Diagnostic[] {
  if (error instanceof RequestError) return [error.diagnostic];
  return error instanceof ConfigError ? error.problems : [problem("bug", messageOf(error))];
}

/** The error of a failed attempt, shortened and without secrets. `mayHaveBeenApplied` is about earlier attempts. */
export function toError(
  request: RequestFacts &
    Pick<ApiErrorFacts, "tokenSource"> & {
      readonly mayHaveBeenApplied: boolean;
      readonly base: URL;
      readonly env: Environment;
    },
  failed: Failure,
  token: string,
  decision: RetryDecision,
): ApiError | TransportError {
  const { operation, method, attempts, mayHaveBeenApplied } = request;
  const facts = { operation, method, path: redact(request.path, [token]), attempts };
  const clean = (text: string | undefined) => cleanText(text, [token]);
  if (failed.kind !== "refusal") {
    // Some of Node's errors bundle others (one for each address of a host): they have a code and no message.
    const code = clean(failed.error.code);
    const reason = tlsProblem(code) ?? clean(failed.error.message) ?? code ?? "the connection failed";
    const outcome = failed.kind === "not-sent" && !mayHaveBeenApplied ? "not-sent" : "unknown";
    return new TransportError({ ...facts, code, reason, outcome, proxies: proxiesSet(request.env) });
  }
  const shown = textFilter(operation, failed);
  return new ApiError({
    ...facts,
    status: failed.status,
    code: shown(failed.code, [token]),
    reason: shown(failed.reason, [token]),
    requestId: requestIdOf(operation, failed, token),
    retryAfter: failed.retryAfterMs === undefined ? undefined : failed.retryAfterMs / 1000,
    location: clean(bareLocation(operation, failed, request.base)),
    basePath: request.base.pathname,
    tokenSource: request.tokenSource,
    asksTooLong: !decision.retry && decision.why === "retry-after",
    mayHaveBeenApplied,
  });
}

/** Replaces OpenSSL's message, which names its source files. */
function tlsProblem(code = ""): string | undefined {
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO") return notTls;
  return code.startsWith("ERR_SSL_") ? "the server refused the TLS connection" : undefined;
}

/** A server that may have rotated may have put the new secret anywhere in its answer, so nothing of it is shown. */
function textFilter(operation: OperationName, { status }: Refusal): typeof maskedText {
  if (operation !== "rotateWebhookSecret") return cleanText;
  return outcomeOfStatus({ operation, status }) === "refused" ? maskedText : () => undefined;
}

/** For the server's support. A UUID in its own header is not a secret. */
function requestIdOf(operation: OperationName, failed: Refusal, token: string): string | undefined {
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(failed.requestId ?? "");
  const isRefused = outcomeOfAttempt(operation, failed) === "refused";
  return (isUuid && isRefused ? cleanText : textFilter(operation, failed))(failed.requestId, [token]);
}

/** A redirect's target without the parts that may be secret: user name, password, query and fragment, and for a rotation the path. */
function bareLocation(operation: OperationName, { location }: Refusal, base: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, base.href)) return undefined;
  const target = new URL(location, base);
  if (target.host === "") return undefined;
  return operation === "rotateWebhookSecret" ? target.origin : target.origin + target.pathname;
}
