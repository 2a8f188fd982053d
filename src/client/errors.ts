/**
 * Everything that sending a request can end in, save an answer. The errors carry facts and a text that a person can act
 * on; never a header or a body, so that printing, inspecting or serializing one leaks nothing.
 */
import type { Method, OperationName } from "../contract.js";
import { describeApiError, describeTransportError } from "./messages.js";

/**
 * Whether the control plane may have done what was asked.
 *
 * - `not-sent`: no byte of the request left this process for the control plane; nothing was done.
 * - `refused`: the control plane answered that it did not do it.
 * - `unknown`: the request left, and no answer tells what became of it.
 */
export type Outcome = "not-sent" | "refused" | "unknown";

interface RequestFacts {
  readonly operation: OperationName;
  readonly method: Method;
  /** Relative to the base URL, as it was sent. */
  readonly path: string;
  /** Times that the request was tried, 1 or more. */
  readonly attempts: number;
}

export interface ApiErrorFacts extends RequestFacts {
  readonly status: number;
  /** The server's own code, such as `FORBIDDEN`. */
  readonly code?: string | undefined;
  /** The server's own words. */
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfter?: number | undefined;
  /** Where a redirect points to; redirects are never followed. */
  readonly location?: string | undefined;
  /** Said in addition, such as why the request was not tried again. */
  readonly note?: string | undefined;
  /** An earlier attempt of the same request went unanswered and may have been carried out. Default: false. */
  readonly mayHaveBeenApplied?: boolean;
}

export interface TransportErrorFacts extends RequestFacts {
  /** The transport's code, such as `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /** What went wrong, in the transport's words. */
  readonly reason: string;
  readonly outcome: "not-sent" | "unknown";
}

/**
 * Consumers print an error as its text followed by its stack. A stack trace tells a user nothing here, so the stack is
 * the text.
 */
class TidyError extends Error {
  constructor(name: string, message: string) {
    super(message);
    hide(this, "name", name);
    hide(this, "stack", `${name}: ${message}`);
  }
}

/** Not enumerable, as on any Error, so that inspecting or serializing shows the facts and nothing twice. */
function hide(error: Error, key: string, value: string): void {
  Object.defineProperty(error, key, { value, configurable: true, writable: true });
}

/** The server answered, and the answer is not a success. */
export class ApiError extends TidyError {
  readonly operation: OperationName;
  readonly method: Method;
  readonly path: string;
  readonly attempts: number;
  /** HTTP status. A 2xx one is possible: an answer may say `success: false`. */
  readonly status: number;
  /** The server's own code, such as `FORBIDDEN`; undefined where it gave none. */
  readonly code: string | undefined;
  /** The server's own words; undefined where it gave none. */
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds that the server asks to wait; undefined where it asked for nothing. */
  readonly retryAfter: number | undefined;
  /**
   * A 5xx is `unknown`, since it may hide a change that was made; any other status is `refused`, unless an earlier
   * attempt of the same request went unanswered.
   */
  readonly outcome: "refused" | "unknown";

  constructor(facts: ApiErrorFacts) {
    super("ApiError", describeApiError(facts));
    this.operation = facts.operation;
    this.method = facts.method;
    this.path = facts.path;
    this.attempts = facts.attempts;
    this.status = facts.status;
    this.code = facts.code;
    this.reason = facts.reason;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.outcome = facts.status >= 500 || facts.mayHaveBeenApplied === true ? "unknown" : "refused";
  }
}

/** There is no answer: it never reached the server, or what came back got lost. */
export class TransportError extends TidyError {
  readonly operation: OperationName;
  readonly method: Method;
  readonly path: string;
  readonly attempts: number;
  /** The transport's code, such as `ECONNREFUSED`; undefined where it gave none. */
  readonly code: string | undefined;
  readonly outcome: "not-sent" | "unknown";

  constructor(facts: TransportErrorFacts) {
    super("TransportError", describeTransportError(facts));
    this.operation = facts.operation;
    this.method = facts.method;
    this.path = facts.path;
    this.attempts = facts.attempts;
    this.code = facts.code;
    this.outcome = facts.outcome;
  }
}

/** The caller's settings or arguments make a request impossible; nothing was sent. */
export class ConfigError extends TidyError {
  /** Every problem, each a sentence of its own. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super("ConfigError", problems.join("\n"));
    this.problems = problems;
  }
}

/** Whether the control plane may have acted, for any error; one that is not ours tells nothing, so it is `unknown`. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ApiError || error instanceof TransportError) return error.outcome;
  return error instanceof ConfigError ? "not-sent" : "unknown";
}
