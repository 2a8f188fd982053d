/** The error of a failed attempt: what happened, and what to do about it, in a sentence for each code. It is short and has no secrets. */
import { mayMeanUnknownId, operations, type OperationName } from "../contract/index.js";
import type { Code } from "../values/codes.js";
import { cleanText, maskedText, redact } from "../values/text.js";
import { outcomeOfAttempt, type FailedAnswer, type Refusal, type RequestOutcome } from "./answer.js";
import type { NoAnswer } from "./attempt.js";
import { RequestError } from "./errors.js";

/** The request, and what its error also depends on. */
interface FailedRequest {
  readonly operation: OperationName;
  /** Relative to the base URL, as it was sent. */
  readonly path: string;
  /** Times that the request was tried, 1 or more. */
  readonly attempts: number;
  /** Whether an earlier attempt may have been carried out. */
  readonly mayHaveBeenApplied: boolean;
  readonly base: URL;
  readonly token: string;
  /** A sentence on where the token came from. */
  readonly tokenSource?: string | undefined;
}

export function toError(request: FailedRequest, failed: FailedAnswer): RequestError {
  const { operation, attempts, mayHaveBeenApplied, token } = request;
  const { method } = operations[operation];
  const outcome = mayHaveBeenApplied ? "unknown" : outcomeOfAttempt(failed);
  const isAnswered = failed.kind === "refusal";
  const code = isAnswered ? codeOfRefusal(request, failed, outcome) : codeOfSilence(request, outcome);
  const [verb, ...facts] = isAnswered ? refusalFacts(operation, failed, token) : silenceFacts(failed, token);
  const text = [
    `${method} ${redact(request.path, [token])} ${verb}`,
    ...facts,
    attempts > 1 && `(${attempts} attempts)`,
  ];
  const advice = isAnswered ? refusalAdvice(request, failed, code, outcome) : silenceAdvice(failed, code, outcome);
  const diagnostic = {
    code,
    severity: "problem",
    text: sentence(text),
    advice: sentence(advice) || undefined,
  } as const;
  return new RequestError({ method, status: isAnswered ? failed.status : undefined, outcome, diagnostic });
}

type Parts = readonly (string | undefined | false)[];

const sentence = (parts: Parts): string => parts.filter(Boolean).join(" ");

/** The code of a request that may have been carried out, or that was not sent. */
function codeOfSilence({ operation }: FailedRequest, outcome: RequestOutcome): Code {
  const { method, idempotent } = operations[operation];
  if (outcome === "not-sent") return "not-sent";
  return !idempotent ? "rotation-unknown" : method === "GET" ? "no-answer" : "request-unknown";
}

const codes: Readonly<Partial<Record<number, Code>>> = {
  401: "token-refused",
  402: "not-in-plan",
  403: "token-rights",
  404: "no-such-object",
  429: "rate-limited",
};

function codeOfRefusal(request: FailedRequest, { status, reason = "" }: Refusal, outcome: RequestOutcome): Code {
  const isRead = operations[request.operation].method === "GET";
  // A GET changes nothing, so its outcome matters only if the answer says nothing else.
  if (outcome === "unknown" && (!isRead || status >= 500 || status < 300)) return codeOfSilence(request, outcome);
  return codeOfStatus(request, status, reason);
}

function codeOfStatus({ operation, base }: FailedRequest, status: number, reason: string): Code {
  if (status >= 300 && status < 400) return "redirected";
  if ([404, 405].includes(status) && (hasVersion(base) || operation === "listWebhooks")) return "base-url-path";
  if (status === 403 && /network policy|request source/i.test(reason)) return "address-refused";
  return codes[status] ?? "request-refused";
}

/** Whether the base URL ends in /v1, which every path begins with. */
const hasVersion = ({ pathname }: URL): boolean => /\/v1\/*$/.test(pathname);

/** What happened, first the verb. A server that may have rotated may have put the new secret anywhere in its answer, so nothing of it is shown. */
function refusalFacts(operation: OperationName, refusal: Refusal, token: string): Parts {
  const { status, code, reason, requestId } = refusal;
  const isRefused = outcomeOfAttempt(refusal) === "refused";
  const isRead = operations[operation].method === "GET";
  const verb = `${isRefused || (isRead && status >= 300 && status < 500) ? "was refused" : "failed"}: ${status}`;
  const isRotation = operation === "rotateWebhookSecret";
  if (isRotation && !isRefused) return [verb];
  const shown = (text: string | undefined) => (isRotation ? maskedText : cleanText)(text, [token]);
  // For the server's support. A UUID in its own header is no secret.
  const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(requestId ?? "");
  const [said, id] = [shown(reason), isUuid ? requestId : shown(requestId)];
  return [verb, shown(code), said && `"${said}"`, id && `(request id ${id})`];
}

function silenceFacts({ kind, error }: NoAnswer, token: string): Parts {
  const code = cleanText(error.code, [token]);
  // OpenSSL's message names its source files, and an error that bundles others has no message.
  const message = code?.startsWith("ERR_SSL_") ? "the TLS connection failed" : cleanText(error.message, [token]);
  const shown = message ?? code ?? "the connection failed";
  const isNew = code !== undefined && !shown.includes(code);
  return [`${kind === "lost" ? "got no usable answer" : "was not sent"}: ${shown}`, isNew ? `[${code}]` : undefined];
}

const doubts: Readonly<Partial<Record<Code, string>>> = {
  "rotation-unknown":
    "Whether the secret was rotated is unknown, so it was not tried again: the old secret may have stopped working, and the new one is lost. " +
    "Run the same update again: it rotates once more.",
  "request-unknown": "Whether it was carried out is unknown; sending it again does no harm.",
};

/** What to do about a refusal. `{access}` is what the operation needs. */
const sentences: Readonly<Partial<Record<Code, string>>> = {
  redirected:
    "The server redirects. Redirects are not followed, because they would send the token elsewhere: set the base URL to the service's own address.",
  "base-url-path":
    "There is no such path on this server: check the base URL, its path included. No base URL ends in /v1.",
  "token-refused":
    "The server does not accept the token: check that it belongs to this organization and is neither expired nor revoked.",
  "not-in-plan": "The organization's plan does not include this, or not in this amount; it requires {access}.",
  "address-refused":
    "The organization's network policy does not admit this machine's address: change it from a machine that it admits.",
  "token-rights": "The token needs {access}.",
  "no-such-object":
    "There is no such object in the token's organization; check the id and, if this happens everywhere, the base URL.",
  "rate-limited": "Too many requests for this token or organization: lower the parallelism, or try again later.",
};

function refusalAdvice(request: FailedRequest, refusal: Refusal, code: Code, outcome: RequestOutcome): Parts {
  const { operation, tokenSource } = request;
  const { status, reason = "", retryAfterMs } = refusal;
  const { access } = operations[operation];
  const ofAttempt = outcomeOfAttempt(refusal);
  const what = sentences[codeOfStatus(request, status, reason)];
  return [
    retryAfterMs > 0 && `The server asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`,
    status < 300 && strange,
    what?.replace("{access}", access),
    mayMeanUnknownId(operation, status) && `A ${status} may also mean an unknown id: check the id first.`,
    ofAttempt === "unknown" && doubts[code],
    [401, 403].includes(status) && tokenSource,
    outcome !== ofAttempt && "An earlier attempt failed and may have been carried out.",
  ];
}

const strange =
  "The answer is not one of this API: check the base URL; a login page, a proxy or another service may have answered.";

const authority =
  "If your own authority signed the server's certificate, set NODE_EXTRA_CA_CERTS to the authority's file.";

/** What to do if nothing was sent, by the code and the words of the transport. */
const connecting: readonly (readonly [RegExp, string])[] = [
  [
    /ENOTFOUND|ECONNREFUSED/,
    "Check the base URL's host and port, that the service runs, and HTTPS_PROXY if it is set.",
  ],
  [/WRONG_VERSION_NUMBER|EPROTO/, "Check the base URL's port, and whether it should begin with http:// there."],
  [
    /\(407\)/,
    "The proxy asks for a user and a password: write them into the URL in HTTPS_PROXY, as http://USER:PASSWORD@HOST:PORT.",
  ],
  [
    /Proxy response/,
    "The proxy of HTTPS_PROXY does not let the request through: allow the host there, or add it to NO_PROXY.",
  ],
  [/CERT_(HAS_EXPIRED|NOT_YET_VALID)/, "Renew the server's certificate, or correct this machine's clock."],
  [/ALTNAME_INVALID/, "The certificate is for another host: check the base URL's host."],
  [/LEAF_SIGNATURE/, `The server may not send its intermediate certificate: let it send the whole chain. ${authority}`],
  [/CERT|SELF_SIGNED/, authority],
];

function silenceAdvice({ error }: NoAnswer, code: Code, outcome: RequestOutcome): Parts {
  if (outcome === "unknown") return [doubts[code]];
  return [connecting.find(([pattern]) => pattern.test(`${error.code ?? ""} ${error.message}`))?.[1]];
}
