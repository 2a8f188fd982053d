/**
 * A control plane for trials and tests: the operations of the interface, with development tokens, faults, a journal of
 * requests and an adjustable clock. It listens on this machine only.
 *
 * @module pulumi-voiceplane/control-plane
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { Control, type JournalEntry } from "./control.js";
import { ControlPlaneError } from "./objects.js";
import { createHttpServer, tokens, type TokenName } from "./server.js";

export type { Control, JournalEntry } from "./control.js";
export type { Fault } from "./faults.js";
export { ControlPlaneError, type SeedInput, type State } from "./objects.js";
export type { TokenName } from "./server.js";

export interface ControlPlaneOptions {
  /** Default: 0, which takes any free port. */
  readonly port?: number;
  /** A JSON file that keeps everything, for one process at a time. Default: none. */
  readonly file?: string;
  /** Called with each request to the interface, before it is answered. */
  readonly onRequest?: (request: JournalEntry) => void;
}

export interface ControlPlane {
  /** Without a trailing slash, such as `"http://127.0.0.1:4010"`. */
  readonly url: string;
  readonly tokens: Readonly<Record<TokenName, string>>;
  /** What tests set and read. */
  readonly control: Control;
  /** Ends all connections and frees the port. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a control plane. A new one has a few objects with fixed ids.
 *
 * @throws {@link ControlPlaneError} if the file or port cannot be used. The message is one line with what to do.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { port = 0, file, onRequest } = options;
  const control = new Control(file === undefined ? undefined : resolve(file));
  const server = createHttpServer(control, onRequest);
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (cause) {
    const hint = "choose another port, or port 0 (--port 0) for any free one";
    throw new ControlPlaneError(`${(cause as Error).message}: ${hint}`, { cause });
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      control.close();
      // After the first time, this is an error that says so.
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return { url, tokens, control, close };
}
