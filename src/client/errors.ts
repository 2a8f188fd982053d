/** The errors of requests. They never contain a header or a body, so printing one is safe. */
import type { Method, OperationName } from "../contract/index.js";
import { apiDiagnostic, notTls, transportDiagnostic, type RequestFacts } from "./error-texts.js";
import { outcomeOfAttempt, type FailedAnswer, type Refusal, type RequestOutcome } from "./refusal.js";
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

interface FailedRequest {
  readonly method: Method;
  /** HTTP status; undefined without a usable answer. A 2xx is possible: an answer may say `success: false`. */
  readonly status: number | undefined;
  /** The outcome of the request with all its attempts. */
  readonly outcome: RequestOutcome;
  /** What happened, and what to do about it. */
  readonly diagnostic: Diagnostic;
}

/** A request that did not succeed: the server's answer says so, there is no usable answer, or nothing was sent. */
export class RequestError extends TidyError implements FailedRequest {
  readonly method: Method;
  readonly status: number | undefined;
  readonly outcome: RequestOutcome;
  readonly diagnostic: Diagnostic;

  constructor({ method, status, outcome, diagnostic }: FailedRequest) {
    super("RequestError", diagnosticText(diagnostic));
    this.method = method;
    this.status = status;
    this.outcome = outcome;
    this.diagnostic = diagnostic;
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

/** The outcome of the request that ended with this error. `unknown` if the error is not the client's. */
export function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof RequestError) return error.outcome;
  return error instanceof ConfigError ? "not-sent" : "unknown";
}

/** The problems that an error of the client reports. */
export function problemsIn(error: unknown): readonly Diagnostic[] {
  if (error instanceof RequestError) return [error.diagnostic];
  return error instanceof ConfigError ? error.problems : [problem("bug", messageOf(error))];
}

/** The request, and what its error also depends on. */
interface Circumstances extends Omit<RequestFacts, "outcome"> {
  /** Whether an earlier attempt may have been carried out. */
  readonly mayHaveBeenApplied: boolean;
  readonly tokenSource?: string | undefined;
  readonly base: URL;
  readonly env: Environment;
}

/** The error of a failed attempt, shortened and without secrets. */
export function toError(
  request: Circumstances,
  failed: FailedAnswer,
  token: string,
  decision: RetryDecision,
): RequestError {
  const { operation, method, attempts, mayHaveBeenApplied } = request;
  const ofAttempt = outcomeOfAttempt(failed);
  const outcome = mayHaveBeenApplied ? "unknown" : ofAttempt;
  const facts = { operation, method, path: redact(request.path, [token]), attempts, outcome };
  const clean = (text: string | undefined) => cleanText(text, [token]);
  if (failed.kind !== "refusal") {
    // Some of Node's errors bundle others (one for each address of a host): they have a code and no message.
    const code = clean(failed.error.code);
    const reason = tlsProblem(code) ?? clean(failed.error.message) ?? code ?? "the connection failed";
    const diagnostic = transportDiagnostic({ ...facts, code, reason, proxies: proxiesSet(request.env) });
    return new RequestError({ method, status: undefined, outcome, diagnostic });
  }
  const { status, retryAfterMs } = failed;
  const shown = textFilter(operation, failed);
  const diagnostic = apiDiagnostic({
    ...facts,
    status,
    ofAttempt,
    code: shown(failed.code, [token]),
    reason: shown(failed.reason, [token]),
    requestId: requestIdOf(operation, failed, token),
    retryAfter: retryAfterMs === undefined ? undefined : retryAfterMs / 1000,
    location: clean(bareLocation(operation, failed, request.base)),
    basePath: request.base.pathname,
    tokenSource: request.tokenSource,
    asksTooLong: !decision.retry && decision.why === "retry-after",
  });
  return new RequestError({ method, status, outcome, diagnostic });
}

/** Replaces OpenSSL's message, which names its source files. */
function tlsProblem(code = ""): string | undefined {
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO") return notTls;
  return code.startsWith("ERR_SSL_") ? "the server refused the TLS connection" : undefined;
}

/** A server that may have rotated may have put the new secret anywhere in its answer, so nothing of it is shown. */
function textFilter(operation: OperationName, failed: Refusal): typeof maskedText {
  if (operation !== "rotateWebhookSecret") return cleanText;
  return outcomeOfAttempt(failed) === "refused" ? maskedText : () => undefined;
}

/** For the server's support. A UUID in its own header is not a secret. */
function requestIdOf(operation: OperationName, failed: Refusal, token: string): string | undefined {
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(failed.requestId ?? "");
  const isRefused = outcomeOfAttempt(failed) === "refused";
  const shown = isUuid && isRefused ? cleanText : textFilter(operation, failed);
  return shown(failed.requestId, [token]);
}

/** A redirect's target without the parts that may be secret: user name, password, query and fragment, and for a rotation the path. */
function bareLocation(operation: OperationName, { location }: Refusal, base: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, base.href)) return undefined;
  const target = new URL(location, base);
  if (target.host === "") return undefined;
  return operation === "rotateWebhookSecret" ? target.origin : target.origin + target.pathname;
}
