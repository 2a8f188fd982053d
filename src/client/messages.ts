/** The words of the errors: one line that says what happened, and one that says what to do about it. */
import { operations } from "../contract.js";
import type { ApiErrorFacts, TransportErrorFacts } from "./errors.js";
import { proxiesSet } from "./proxy.js";

export function describeApiError(facts: ApiErrorFacts): string {
  const answer = [
    `${facts.method} ${facts.path} ${facts.status >= 500 ? "failed" : "was refused"}: ${facts.status}`,
    facts.code === String(facts.status) ? undefined : facts.code,
    facts.reason === undefined ? undefined : `"${facts.reason}"`,
    aside([facts.requestId === undefined ? undefined : `request id ${facts.requestId}`, tries(facts.attempts)]),
  ];
  const earlier =
    facts.mayHaveBeenApplied === true && facts.status < 500
      ? "An earlier attempt got no answer and may have been carried out."
      : undefined;
  return lines(words(answer), words([facts.note, apiHint(facts), earlier]));
}

export function describeTransportError(facts: TransportErrorFacts): string {
  const failed = facts.outcome === "not-sent" ? "was not sent" : "got no usable answer";
  const cause = facts.code === undefined || facts.reason.includes(facts.code) ? undefined : `[${facts.code}]`;
  return lines(
    words([`${facts.method} ${facts.path} ${failed}: ${facts.reason}`, cause, aside([tries(facts.attempts)])]),
    transportHint(facts),
  );
}

function apiHint(facts: ApiErrorFacts): string | undefined {
  const { status } = facts;
  if (status >= 300 && status < 400) {
    const target = facts.location === undefined ? "" : ` to ${facts.location}`;
    return `The server redirects${target}. Redirects are never followed, since the token would go with them: set the base URL to where the service really is.`;
  }
  if (status >= 500) return serverErrorHint(facts);
  switch (status) {
    case 401:
      return "The server does not accept the token: check that it belongs to this organization and is neither expired nor revoked.";
    case 402:
      return `The organization's plan does not include this, or not in this amount; it takes ${operations[facts.operation].access}.`;
    case 403:
      return forbiddenHint(facts);
    case 404:
      return facts.operation === "listWebhooks"
        ? "There is no such path on this server: check the base URL, its path included."
        : "There is no such object in the token's organization; check the id and, if this happens everywhere, the base URL.";
    case 429:
      return "Too many requests for this token or organization: lower the parallelism, or try again later.";
    default:
      return undefined;
  }
}

function forbiddenHint({ operation, code, reason }: ApiErrorFacts): string {
  if (reason !== undefined && /network policy|request source/i.test(reason)) {
    return "The organization's network policy does not let this machine's address in.";
  }
  if (code === "STEP_UP_REQUIRED") return "The server asks for a stronger sign-in than a token gives.";
  return `The token needs ${operations[operation].access}.`;
}

function serverErrorHint({ operation, method, status }: ApiErrorFacts): string | undefined {
  if (operation === "rotateWebhookSecret") return rotationHint;
  if (method === "PATCH" && status === 500) return "Some servers answer 500 for an unknown id: check the id first.";
  return method === "GET" ? undefined : "Whether it was carried out is unknown; sending it again does no harm.";
}

function transportHint({ operation, method, reason, code, outcome }: TransportErrorFacts): string | undefined {
  if (outcome === "not-sent") return connectHint(reason, code);
  if (operation === "rotateWebhookSecret") return rotationHint;
  return method === "GET" ? undefined : "Whether it was carried out is unknown; sending it again does no harm.";
}

function connectHint(reason: string, code = ""): string | undefined {
  if (code === "ENOTFOUND" || code === "ECONNREFUSED") {
    const proxies = proxiesSet();
    return proxies.length > 0
      ? `Check the base URL's host and port, that the service runs, and the proxy of ${proxies.join(" and ")}.`
      : "Check the base URL's host and port, and that the service runs.";
  }
  if (reason.startsWith("Proxy response")) {
    return "The proxy of HTTPS_PROXY does not let the request through: have it allow the host, or name the host in NO_PROXY.";
  }
  return /CERT|SELF_SIGNED/.test(code)
    ? "If an authority of your own signed the server's certificate, let NODE_EXTRA_CA_CERTS name the authority's file."
    : undefined;
}

const rotationHint =
  "Whether the secret was rotated is unknown, so it was not tried again: the old secret may have stopped working, and the new one is lost.";

const tries = (attempts: number): string | undefined => (attempts > 1 ? `${attempts} attempts` : undefined);

const words = (parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(" ");

const lines = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join("\n");

function aside(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : `(${known.join(", ")})`;
}
