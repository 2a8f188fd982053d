/** What sends the contract's operations, and the path of each. */
import { operations, type OperationName } from "../contract/index.js";
import { problem } from "../values/diagnostic.js";
import { ConfigError } from "./errors.js";

export type PathParameters = Readonly<Record<string, string>>;

/** Called before each further attempt with its reason and wait, as one line without secrets. */
export type OnRetry = (message: string) => void;

export interface SendOptions {
  readonly onRetry?: OnRetry;
  /** The caller's own time for all attempts and waits, ms, in place of the client's limits. */
  readonly timeoutMs?: number | undefined;
}

export interface Api {
  /**
   * Sends one request, as often as that is safe.
   *
   * @returns `data` of the answer, or the whole JSON if it has none. Of a rotation, all that the answer says
   * @throws RequestError or ConfigError, and nothing else
   */
  send(operation: OperationName, parameters: PathParameters, body?: object, options?: SendOptions): Promise<unknown>;
}

/**
 * @param isOpen whether a parameter is not known: it then stands in braces, as in the contract
 * @throws ConfigError if a parameter cannot be exactly one segment of the path
 */
export function pathOf(
  operation: OperationName,
  parameters: PathParameters,
  isOpen: (parameter: string) => boolean = () => false,
): string {
  const { path } = operations[operation];
  return path.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const parameter = parameters[name] ?? "";
    if (isOpen(parameter)) return braces;
    const reason = segmentProblem(parameter);
    if (reason !== undefined)
      throw new ConfigError(problem("wrong-value", `The id in ${path.replace(braces, "{id}")} ${reason}.`));
    return encodeURIComponent(parameter);
  });
}

function segmentProblem(parameter: string): string | undefined {
  if (parameter === "") return "is empty";
  // Servers resolve these even if they are percent-encoded.
  if (parameter === "." || parameter === "..") return "is made of dots only, which means another path";
  return parameter.isWellFormed() ? undefined : "is not valid Unicode";
}
