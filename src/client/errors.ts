/** The errors of requests, and their texts. They never contain a header or a body, so printing one is safe. */
import { operations, type Method, type OperationName } from "../contract/index.js";
import { notJson, type ParsedAnswer, type Refusal } from "./answer.js";
import { cleanText, maskedText, redact } from "../values/text.js";
import type { RetryDecision } from "./retry.js";
import type { Environment } from "../values/environment.js";
import { proxiesSet } from "./settings.js";

/**
 * Whether the control plane may have carried out the request. `not-sent`: no byte of it was sent. `refused`: the server answered
 * that it did not. `unknown`: it was sent, and no answer says what happened.
 */
export type RequestOutcome = "not-sent" | "refused" | "unknown";

/** Node and Pulumi print an error's stack. A trace does not help users here, so the stack is the text. */
class TidyError extends Error {
  constructor(name: string, message: string) {
    super(message);
    // Not enumerable, as on any Error: otherwise they are printed twice.
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
    Object.defineProperty(this, "stack", { value: `${name}: ${message}`, configurable: true, writable: true });
  }
}

type RequestFacts = Pick<RequestError, "operation" | "method" | "path" | "attempts">;

abstract class RequestError extends TidyError {
  readonly operation: OperationName;
  readonly method: Method;
  /** Relative to the base URL, as it was sent. */
  readonly path: string;
  /** Times that the request was tried, 1 or more. */
  readonly attempts: number;
  /** What happened: the message's first line. */
  readonly summary: string;
  /** What to do about it, in sentences: the rest of the message. */
  readonly hint: string | undefined;
  abstract readonly outcome: RequestOutcome;

  constructor(name: string, facts: RequestFacts, summary: string, hint: string | undefined) {
    super(name, join("\n", summary, hint));
    ({ operation: this.operation, method: this.method, path: this.path } = facts);
    this.attempts = facts.attempts;
    this.summary = summary;
    this.hint = hint;
  }
}

type ApiErrorFacts = RequestFacts &
  Pick<ApiError, "status"> &
  Partial<Pick<ApiError, "code" | "reason" | "requestId" | "retryAfter">> & {
    /** The target of a redirect. */
    readonly location?: string | undefined;
    /** The server asks to wait longer than the request may take. Default: false. */
    readonly asksTooLong?: boolean;
    /** The path of the base URL. */
    readonly basePath?: string;
    /** A sentence on where the token came from. */
    readonly tokenSource?: string | undefined;
    /** An earlier attempt failed and may have been carried out. Default: false. */
    readonly mayHaveBeenApplied?: boolean;
  };

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
    super("ApiError", facts, apiSummary(facts), apiHint(facts));
    ({ status: this.status, code: this.code, reason: this.reason } = facts);
    ({ requestId: this.requestId, retryAfter: this.retryAfter } = facts);
    this.outcome = facts.mayHaveBeenApplied === true ? "unknown" : outcomeOfStatus(facts);
  }
}

type TransportErrorFacts = RequestFacts &
  Pick<TransportError, "outcome"> & { code?: string | undefined; reason: string; proxies?: readonly string[] };

/** There is no usable answer: the request did not reach the server, or its answer was lost. */
export class TransportError extends RequestError {
  /** The transport's code, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
  readonly outcome: "not-sent" | "unknown";

  constructor(facts: TransportErrorFacts) {
    super("TransportError", facts, transportSummary(facts), transportHint(facts));
    ({ code: this.code, outcome: this.outcome } = facts);
  }
}

/** Settings or arguments make a request impossible; nothing was sent. */
export class ConfigError extends TidyError {
  /** Every problem as one sentence. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super("ConfigError", problems.join("\n"));
    this.problems = problems;
  }
}

/** Of any error. One that is not the client's own is `unknown`. */
export function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof RequestError) return error.outcome;
  return error instanceof ConfigError ? "not-sent" : "unknown";
}

type Failure = Exclude<ParsedAnswer, { kind: "success" }>;

/** Of one failed attempt, regardless of earlier ones. */
export function outcomeOfAttempt(operation: OperationName, failed: Failure): RequestOutcome {
  if (failed.kind === "refusal") return outcomeOfStatus({ operation, status: failed.status });
  return failed.kind === "not-sent" ? "not-sent" : "unknown";
}

/** With these, a server has surely done nothing. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 411, 413, 414, 415, 422, 429, 431]);

/** A 5xx may hide a change that was made. To a rotation, so may every status that does not surely refuse it: it is not sent again. */
function outcomeOfStatus({ operation, status }: Pick<ApiErrorFacts, "operation" | "status">): "refused" | "unknown" {
  const isRefusal = operations[operation].idempotent ? status < 500 : refusals.has(status);
  return isRefusal ? "refused" : "unknown";
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

const notTls = "the server does not speak TLS at this port";

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

function apiSummary({ operation, method, path, status, code, reason, attempts, requestId }: ApiErrorFacts): string {
  const shownCode = code === String(status) ? undefined : code;
  const shownReason = reason === undefined ? undefined : `"${reason}"`;
  const failed = `${method} ${path} ${outcomeOfStatus({ operation, status }) === "unknown" ? "failed" : "was refused"}: ${status}`;
  return join(" ", failed, shownCode, shownReason, inParentheses(attempts, requestId));
}

function apiHint(facts: ApiErrorFacts): string | undefined {
  const wait = facts.asksTooLong
    ? `The server asks to wait ${timeText(facts.retryAfter ?? 0)}, longer than the request may take.`
    : undefined;
  const isDoubtful = facts.mayHaveBeenApplied === true && outcomeOfStatus(facts) === "refused";
  const earlier = isDoubtful ? "An earlier attempt failed and may have been carried out." : undefined;
  const source = [401, 403].includes(facts.status) ? facts.tokenSource : undefined;
  const hint = join(" ", wait, statusHint(facts), source, earlier);
  return hint === "" ? undefined : hint;
}

function timeText(seconds: number): string {
  const days = Math.ceil(seconds / 86_400);
  return days > 1 ? `${days} days` : `${Math.ceil(seconds)} s`;
}

function transportSummary({ method, path, code, reason, outcome, attempts }: TransportErrorFacts): string {
  const failed = outcome === "not-sent" ? "was not sent" : "got no usable answer";
  const cause = code === undefined || reason.includes(code) ? undefined : `[${code}]`;
  return join(" ", `${method} ${path} ${failed}: ${reason}`, cause, inParentheses(attempts));
}

function transportHint(facts: TransportErrorFacts): string | undefined {
  if (facts.outcome === "not-sent") return connectHint(facts);
  const elsewhere = "Check the base URL: a login page, a proxy or another service may have answered.";
  return join(" ", facts.code === notJson ? elsewhere : undefined, unknownHint(facts));
}

const asksProxy = "A proxy answered, and not the server: it asks for a user and a password.";

function statusHint(facts: ApiErrorFacts): string | undefined {
  const { operation, method, status, reason } = facts;
  const { access } = operations[operation];
  const doubt = outcomeOfStatus(facts) === "unknown" ? unknownHint(facts) : undefined;
  if (status >= 300 && status < 400) {
    const target = facts.location === undefined ? "" : ` to ${facts.location}`;
    const redirects = `The server redirects${target}. Redirects are not followed, because they would send the token elsewhere: set the base URL to the service's own address.`;
    return join(" ", redirects, doubt);
  }
  if ((status === 404 || status === 405) && /\/v1\/*$/.test(facts.basePath ?? "")) {
    return "The base URL ends in /v1, and every path already begins with it: remove it from the base URL.";
  }
  switch (status) {
    case 401:
      return "The server does not accept the token: check that it belongs to this organization and is neither expired nor revoked.";
    case 402:
      return join(
        " ",
        `The organization's plan does not include this, or not in this amount; it requires ${access}.`,
        doubt,
      );
    case 403:
      if (refusesAddress(reason)) {
        return "The organization's network policy does not admit this machine's address: change it from a machine that it admits.";
      }
      return `The token needs ${access}.`;
    case 404:
      return operation === "listWebhooks"
        ? "There is no such path on this server: check the base URL, its path included."
        : "There is no such object in the token's organization; check the id and, if this happens everywhere, the base URL.";
    case 407:
      // A rotation counts as unknown, as with each answer that is no plain refusal of the server.
      return operations[operation].idempotent ? asksProxy : join(" ", asksProxy, unknownHint(facts));
    case 429:
      return "Too many requests for this token or organization: lower the parallelism, or try again later.";
  }
  if (method === "PATCH" && status === 500) return "A 500 may also mean an unknown id: check the id first.";
  return doubt;
}

/** Whether the server's reason is the address that the request comes from. */
export const refusesAddress = (reason = ""): boolean => /network policy|request source/i.test(reason);

function unknownHint({ operation, method }: RequestFacts): string | undefined {
  if (!operations[operation].idempotent) {
    return "Whether the secret was rotated is unknown, so it was not tried again: the old secret may have stopped working, and the new one is lost.";
  }
  return method === "GET" ? undefined : "Whether it was carried out is unknown; sending it again does no harm.";
}

function connectHint({ reason, code = "", proxies = [] }: TransportErrorFacts): string | undefined {
  if (code === "ENOTFOUND" || code === "ECONNREFUSED") {
    return proxies.length === 0
      ? "Check the base URL's host and port, and that the service runs."
      : `Check the base URL's host and port, that the service runs, and the proxy of ${proxies.join(" and ")}.`;
  }
  if (reason === notTls) return "Check the base URL's port, and whether it should begin with http:// there.";
  if (/^Proxy .*\(407\)/.test(reason)) {
    const names = proxies.join(" and ") || "HTTPS_PROXY";
    return `The proxy asks for a user and a password: write them into the URL in ${names}, as http://USER:PASSWORD@HOST:PORT.`;
  }
  if (reason.startsWith("Proxy response")) {
    return "The proxy of HTTPS_PROXY does not let the request through: allow the host there, or add it to NO_PROXY.";
  }
  return certificateHint(code);
}

function certificateHint(code: string): string | undefined {
  if (["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"].includes(code)) {
    return "Renew the server's certificate, or correct this machine's clock.";
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "The certificate is for another host: check the base URL's host.";
  const authority =
    "If your own authority signed the server's certificate, set NODE_EXTRA_CA_CERTS to the authority's file.";
  if (code === "UNABLE_TO_VERIFY_LEAF_SIGNATURE") {
    return `The server may not send its intermediate certificate: let it send the whole chain. ${authority}`;
  }
  return /CERT|SELF_SIGNED/.test(code) ? authority : undefined;
}

function join(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(separator);
}

function inParentheses(attempts: number, requestId?: string): string | undefined {
  const id = requestId === undefined ? undefined : `request id ${requestId}`;
  const text = join(", ", id, attempts > 1 ? `${attempts} attempts` : undefined);
  return text === "" ? undefined : `(${text})`;
}
