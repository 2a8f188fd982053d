/** From what an attempt ended in to the error that a caller sees: bounded, and without the token. */
import type { ParsedAnswer, Refusal } from "./answer.js";
import { ApiError, TransportError, type Outcome } from "./errors.js";
import type { Method, OperationName } from "../contract.js";
import { cleanText, redact } from "./redact.js";
import type { RetryDecision } from "./retry.js";

interface Failed {
  readonly operation: OperationName;
  readonly method: Method;
  readonly path: string;
  readonly attempts: number;
  /** An attempt before the last one may have been carried out. */
  readonly mayHaveBeenApplied: boolean;
}

type Failure = Exclude<ParsedAnswer, { kind: "success" }>;
type Why = Extract<RetryDecision, { retry: false }>["why"];

/**
 * @param secrets what no error may hold: every token that was used
 * @param why the reason for not trying again
 * @param base what a redirect's target may be relative to
 */
export function toError(
  { operation, method, path, attempts, mayHaveBeenApplied }: Failed,
  failure: Failure,
  secrets: Iterable<string>,
  why: Why,
  base: URL,
): ApiError | TransportError {
  const facts = { operation, method, path: redact(path, secrets), attempts };
  const clean = (text: string | undefined) => cleanText(text, secrets);
  if (failure.kind === "refusal") {
    return new ApiError({
      ...facts,
      status: failure.status,
      code: clean(failure.code),
      reason: mayBeSecret(operation, failure) ? undefined : clean(failure.reason),
      requestId: clean(failure.requestId),
      retryAfter: failure.retryAfterMs === undefined ? undefined : failure.retryAfterMs / 1000,
      location: clean(bareLocation(failure, base)),
      note: noteOn(failure, why),
      mayHaveBeenApplied,
    });
  }
  // Some of Node's errors bundle others (one for each address of a host) and have a code, but no message.
  const code = clean(failure.error.code);
  const reason = clean(failure.error.message) ?? code ?? "the connection failed";
  const outcome = failure.kind === "not-sent" && !mayHaveBeenApplied ? "not-sent" : "unknown";
  return new TransportError({ ...facts, code, reason, outcome });
}

export function outcomeOfReading(reading: ParsedAnswer): "success" | Outcome {
  switch (reading.kind) {
    case "success":
    case "not-sent":
      return reading.kind;
    case "lost":
    case "unreadable":
      return "unknown";
    case "refusal":
      return reading.status >= 500 ? "unknown" : "refused";
  }
}

/** A server that fails after a rotation may have written the new secret, whole or in part, into what is left of its answer. */
function mayBeSecret(operation: OperationName, { status, isBody }: Refusal): boolean {
  return operation === "rotateWebhookSecret" && isBody === true && (status >= 500 || status < 300);
}

function noteOn({ retryAfterMs = 0 }: Refusal, why: Why): string | undefined {
  if (why !== "retry-after") return undefined;
  return `The server asks to wait ${Math.ceil(retryAfterMs / 1000)} s, longer than the request may take.`;
}

/** A redirect's target as far as it is safe to show: without user name, password, query and fragment. */
function bareLocation({ location }: Refusal, base: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, base.href)) return undefined;
  const target = new URL(location, base);
  return target.host === "" ? undefined : target.origin + target.pathname;
}
