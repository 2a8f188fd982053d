/** What the operations need of a client. */
import type { OperationName } from "../contract/index.js";

/** The values of a path's parameters, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** Called before each further attempt with its reason and wait, as one line without secrets. */
export type OnRetry = (message: string) => void;

export interface Answer {
  /** The id of the attempt that was answered, which its lines in the request log have too. */
  readonly attemptId: string;
  /** Undefined if there is none; the whole JSON if it is not the contract's envelope. For a GET and a rotation, members beside it are added. */
  readonly data: unknown;
}

export interface SendOptions {
  /** Of a rotation: the id of the one before it that the state has, for the request log. Null if the state has none. */
  readonly since?: string | null;
  readonly onRetry?: OnRetry;
  /** The caller's own time for all attempts and waits, ms, in place of the client's limits. */
  readonly timeoutMs?: number | undefined;
}

export interface Api {
  /**
   * Sends one request, as often as that is safe.
   *
   * @throws ApiError, TransportError or ConfigError, and nothing else
   */
  send(operation: OperationName, parameters: PathParameters, body?: object, options?: SendOptions): Promise<Answer>;
  /** The server's time by the Date header of its last answer; undefined if it sent none. */
  serverTime?(): Date | undefined;
}
