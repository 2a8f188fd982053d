/** What the errors of requests say: what happened, and what to do about it. */
import { compact } from "../values/any.js";
import { operations, type Method, type OperationName } from "../contract/index.js";
import { notJson } from "./answer.js";
import type { RequestOutcome } from "./refusal.js";
import type { Code } from "../values/codes.js";
import type { Diagnostic } from "../values/diagnostic.js";

/** What is known of a failed request. */
export interface RequestFacts {
  readonly operation: OperationName;
  readonly method: Method;
  /** Relative to the base URL, as it was sent. */
  readonly path: string;
  /** Times that the request was tried, 1 or more. */
  readonly attempts: number;
  readonly outcome: RequestOutcome;
}

interface ApiErrorFacts extends RequestFacts {
  readonly status: number;
  /** The outcome of the last attempt alone. An earlier one may have been carried out. */
  readonly ofAttempt: RequestOutcome;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfter: number | undefined;
  /** The target of a redirect. */
  readonly location: string | undefined;
  /** The server asks to wait longer than the request may take. */
  readonly asksTooLong: boolean;
  /** The path of the base URL. */
  readonly basePath: string;
  /** A sentence on where the token came from. */
  readonly tokenSource: string | undefined;
}

interface TransportErrorFacts extends RequestFacts {
  readonly code: string | undefined;
  readonly reason: string;
  readonly proxies: readonly string[];
}

export const notTls = "the server does not speak TLS at this port";

/** What to report of an answer that is not a success. */
export function apiDiagnostic(facts: ApiErrorFacts): Diagnostic {
  const refusal = refusalCode(facts);
  const code = isInDoubt(facts, facts.outcome) ? doubtCode(facts) : refusal;
  return { code, severity: "problem", text: apiSummary(facts), advice: apiHint(facts, refusal) };
}

/** What to report of a request without a usable answer. */
export function transportDiagnostic(facts: TransportErrorFacts): Diagnostic {
  const code = facts.outcome === "not-sent" ? "not-sent" : doubtCode(facts);
  return { code, severity: "problem", text: transportSummary(facts), advice: transportHint(facts) };
}

/** Whether the outcome matters more than the refusal. A GET changes nothing, so its outcome matters only if the server has failed. */
const isInDoubt = ({ method, status }: ApiErrorFacts, outcome: RequestOutcome): boolean =>
  outcome === "unknown" && (method !== "GET" || status >= 500);

/** The code of a request that may have been carried out. */
function doubtCode({ operation, method }: RequestFacts): Code {
  if (!operations[operation].idempotent) return "rotation-unknown";
  return method === "GET" ? "no-answer" : "request-unknown";
}

/** The code of a request that was not carried out. */
function refusalCode({ operation, status, reason, basePath }: ApiErrorFacts) {
  if (status >= 300 && status < 400) return "redirected";
  if ((status === 404 || status === 405) && hasVersion(basePath)) return "base-url-path";
  switch (status) {
    case 401:
      return "token-refused";
    case 402:
      return "not-in-plan";
    case 403:
      return refusesAddress(reason) ? "address-refused" : "token-rights";
    case 404:
      return operation === "listWebhooks" ? "base-url-path" : "no-such-object";
    case 407:
      return "proxy-refused";
    case 429:
      return "rate-limited";
    default:
      return "request-refused";
  }
}

type RefusalCode = ReturnType<typeof refusalCode>;

/** Whether the base URL ends in /v1, which every path begins with. */
const hasVersion = (basePath: string): boolean => /\/v1\/*$/.test(basePath);

function apiSummary(facts: ApiErrorFacts): string {
  const { method, path, status, ofAttempt, code, reason, attempts, requestId } = facts;
  const shownCode = code === String(status) ? undefined : code;
  const shownReason = reason === undefined ? undefined : `"${reason}"`;
  const failed = `${method} ${path} ${isInDoubt(facts, ofAttempt) ? "failed" : "was refused"}: ${status}`;
  return join(failed, shownCode, shownReason, inParentheses(attempts, requestId));
}

function apiHint(facts: ApiErrorFacts, refusal: RefusalCode): string | undefined {
  const { status, asksTooLong, retryAfter = 0, outcome, ofAttempt } = facts;
  const wait = asksTooLong
    ? `The server asks to wait ${timeText(retryAfter)}, longer than the request may take.`
    : undefined;
  const source = [401, 403].includes(status) ? facts.tokenSource : undefined;
  const doubt = ofAttempt === "unknown" ? unknownHint(facts) : undefined;
  const earlier = outcome !== ofAttempt ? "An earlier attempt failed and may have been carried out." : undefined;
  return join(wait, refusalHint(facts, refusal), doubt, source, earlier) || undefined;
}

function timeText(seconds: number): string {
  const days = Math.ceil(seconds / 86_400);
  return days > 1 ? `${days} days` : `${Math.ceil(seconds)} s`;
}

function transportSummary({ method, path, code, reason, outcome, attempts }: TransportErrorFacts): string {
  const failed = outcome === "not-sent" ? "was not sent" : "got no usable answer";
  const cause = code === undefined || reason.includes(code) ? undefined : `[${code}]`;
  return join(`${method} ${path} ${failed}: ${reason}`, cause, inParentheses(attempts));
}

function transportHint(facts: TransportErrorFacts): string | undefined {
  if (facts.outcome === "not-sent") return connectHint(facts);
  const elsewhere = "Check the base URL: a login page, a proxy or another service may have answered.";
  return join(facts.code === notJson ? elsewhere : undefined, unknownHint(facts)) || undefined;
}

/** What to do about a refusal; undefined if only the outcome matters. */
function refusalHint(facts: ApiErrorFacts, refusal: RefusalCode): string | undefined {
  const { operation, method, status, location } = facts;
  const { access } = operations[operation];
  switch (refusal) {
    case "redirected": {
      const target = location === undefined ? "" : ` to ${location}`;
      return `The server redirects${target}. Redirects are not followed, because they would send the token elsewhere: set the base URL to the service's own address.`;
    }
    case "base-url-path":
      return hasVersion(facts.basePath)
        ? "The base URL ends in /v1, and every path already begins with it: remove it from the base URL."
        : "There is no such path on this server: check the base URL, its path included.";
    case "token-refused":
      return "The server does not accept the token: check that it belongs to this organization and is neither expired nor revoked.";
    case "not-in-plan":
      return `The organization's plan does not include this, or not in this amount; it requires ${access}.`;
    case "address-refused":
      return "The organization's network policy does not admit this machine's address: change it from a machine that it admits.";
    case "token-rights":
      return `The token needs ${access}.`;
    case "no-such-object":
      return "There is no such object in the token's organization; check the id and, if this happens everywhere, the base URL.";
    case "proxy-refused":
      return "A proxy answered, and not the server: it asks for a user and a password.";
    case "rate-limited":
      return "Too many requests for this token or organization: lower the parallelism, or try again later.";
    case "request-refused":
      return method === "PATCH" && status === 500
        ? "A 500 may also mean an unknown id: check the id first."
        : undefined;
  }
}

/** Whether the server's reason is the address that the request comes from. */
const refusesAddress = (reason = ""): boolean => /network policy|request source/i.test(reason);

function unknownHint({ operation, method }: RequestFacts): string | undefined {
  if (!operations[operation].idempotent) {
    return "Whether the secret was rotated is unknown, so it was not tried again: the old secret may have stopped working, and the new one is lost.";
  }
  return method === "GET" ? undefined : "Whether it was carried out is unknown; sending it again does no harm.";
}

function connectHint({ reason, code = "", proxies }: TransportErrorFacts): string | undefined {
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

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

function inParentheses(attempts: number, requestId?: string): string | undefined {
  const parts = compact(requestId !== undefined && `request id ${requestId}`, attempts > 1 && `${attempts} attempts`);
  return parts.length === 0 ? undefined : `(${parts.join(", ")})`;
}
