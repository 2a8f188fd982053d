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
   * @returns all that the answer says: its `data`, and what is beside it
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
    // Servers resolve dots even if they are percent-encoded.
    if (!/^\.{0,2}$/.test(parameter) && parameter.isWellFormed()) return encodeURIComponent(parameter);
    const text = `The id in ${path.replace(braces, "{id}")} is empty, made of dots only or not valid Unicode.`;
    throw new ConfigError(problem("wrong-value", text));
  });
}
