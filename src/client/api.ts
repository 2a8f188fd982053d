import type { OperationName } from "../contract.js";

/** What the operations need of a client. {@link Client} is the one implementation that sends. */
export interface Api {
  /**
   * Sends one request, as often as it is safe to, and resolves to the answer's `data`: undefined where the answer has
   * none or is not JSON; the whole JSON value where it is not the envelope that the interface describes. Where anything
   * beside the data of a GET, a member or a header, may say that there are more pages, it comes as `{ ...beside, data }`.
   * Rejects with ApiError, TransportError or ConfigError and nothing else.
   *
   * @param path made by the {@link path} tag, which encodes parameters
   */
  send(operation: OperationName, path: string, body?: object): Promise<unknown>;
  /** The server's time by the Date header of its last answer; undefined where it has told none. */
  serverTime?(): Date | undefined;
}
