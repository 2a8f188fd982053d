/** The errors of requests. They never contain a header or a body, so printing one is safe. */
import type { Method } from "../contract/index.js";
import { messageOf } from "../values/any.js";
import { diagnosticText, problem, type Diagnostic } from "../values/diagnostic.js";
import type { RequestOutcome } from "./answer.js";

/** Node and Pulumi print an error's stack. A trace does not help users here, so the stack is the text. */
class TidyError extends Error {
  constructor(name: string, message: string) {
    super(message);
    // Not enumerable, as on any Error: otherwise they are printed twice.
    Object.defineProperty(this, "name", { value: name, configurable: true, writable: true });
    Object.defineProperty(this, "stack", { value: `${name}: ${message}`, configurable: true, writable: true });
  }
}

/** A request that did not succeed: the server's answer says so, there is no usable answer, or nothing was sent. */
export class RequestError extends TidyError {
  readonly method: Method;
  /** HTTP status; undefined without an answer. A 2xx is possible: it may say `success: false`, or be no JSON. */
  readonly status: number | undefined;
  /** The outcome of the request with all its attempts. */
  readonly outcome: RequestOutcome;
  /** What happened, and what to do about it. */
  readonly diagnostic: Diagnostic;

  constructor(facts: Pick<RequestError, "method" | "status" | "outcome" | "diagnostic">) {
    super("RequestError", diagnosticText(facts.diagnostic));
    this.method = facts.method;
    this.status = facts.status;
    this.outcome = facts.outcome;
    this.diagnostic = facts.diagnostic;
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
