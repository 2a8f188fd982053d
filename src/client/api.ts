/** What the operations need of a client. */
import type { OperationName } from "../contract/index.js";

/** The values of a path's parameters, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** Called before each further attempt with its reason and wait, as one line without secrets. */
export type OnRetry = (message: string) => void;

export interface SendOptions {
  /** For the request log: the id that the state of the resource gets. */
  readonly requestId?: string | undefined;
  /** Called immediately before the bytes of an attempt leave. What it returns is called if the attempt surely had no effect. */
  readonly begin?: (() => () => void) | undefined;
  readonly onRetry?: OnRetry;
  /** Called if the answer says `success: true`, as the contract's envelope does. */
  readonly onEnvelope?: (() => unknown) | undefined;
  /** The caller's own time for all attempts and waits, ms, in place of the client's limits. */
  readonly timeoutMs?: number | undefined;
}

export interface Api {
  /**
   * Sends one request, as often as that is safe.
   *
   * @returns `data` of the answer. Undefined if there is none; the whole JSON if it is not the contract's envelope. For a GET and a
   * rotation, members beside it are added
   * @throws ApiError, TransportError or ConfigError, and nothing else
   */
  send(operation: OperationName, parameters: PathParameters, body?: object, options?: SendOptions): Promise<unknown>;
}
