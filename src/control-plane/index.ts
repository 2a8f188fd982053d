/**
 * A control plane for trials and tests: the operations of the interface, with development tokens, faults, a journal of
 * requests and an adjustable clock. It listens on this machine only, unless it is exposed.
 *
 * @module pulumi-voiceplane/control-plane
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { isThisMachine, tokens, type TokenName } from "./access.js";
import { Control } from "./control.js";
import { HeldRequests } from "./faults.js";
import { createHttpServer } from "./server.js";
import { ControlPlaneError, Store, type JournalEntry } from "./store.js";

export type { TokenName } from "./access.js";
export type { Control, SeedInput } from "./control.js";
export type { Fault } from "./faults.js";
export type { State } from "./objects.js";
export { ControlPlaneError, type Counters, type JournalEntry } from "./store.js";

export interface ControlPlaneOptions {
  /** Default: 0, which takes any free port. */
  readonly port?: number;
  /** The address to listen on. One that is not loopback needs `expose`. Default: `"127.0.0.1"`. */
  readonly host?: string;
  /** Accepts requests from other machines. The tokens are not secret. Default: false. */
  readonly expose?: boolean;
  /** A JSON file that keeps everything, for one process at a time. Default: none. */
  readonly file?: string;
  /** Called with each request to the interface, before it is answered. */
  readonly onRequest?: (request: Omit<JournalEntry, "id">) => void;
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
  const { port = 0, host = "127.0.0.1", expose = false, file, onRequest } = options;
  if (!expose && !isThisMachine(host)) {
    throw new ControlPlaneError(
      `${host} can be reached from other machines, and the tokens are public: set expose (--expose) to allow it`,
    );
  }
  const store = new Store(file === undefined ? undefined : resolve(file));
  const held = new HeldRequests();
  const closing = new AbortController();
  const control = new Control(store, held, closing.signal);
  if (store.isNew) control.reset();
  const server = createHttpServer({ store, held, control, expose, onRequest, closing: closing.signal });
  const url = await listen(server, host, port);
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const isClosed = once(server, "close");
    closing.abort();
    held.drop();
    server.close();
    server.closeAllConnections();
    await isClosed;
  };
  return { url, tokens, control, close: () => (closed ??= close()) };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (cause) {
    const { message } = cause as Error;
    throw new ControlPlaneError(`${message}: choose another address, or port 0 (--port 0) for any free one`, {
      cause,
    });
  }
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}
