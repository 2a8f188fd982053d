/**
 * An embedded control plane for trials and tests: the five operations of the interface, with development tokens, simulated
 * faults, a journal of requests and an adjustable clock. By default, it listens on this machine only.
 *
 * @module pulumi-voiceplane/control-plane
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopbackName, tokens, type TokenName } from "./access.js";
import { dialects, type Dialect } from "./answers.js";
import { Control } from "./control.js";
import { ControlPlaneError, explainListenError } from "./errors.js";
import { Faults } from "./faults.js";
import { RateLimiter } from "./rate-limits.js";
import type { JournalEntry } from "./records.js";
import { isSeeded } from "./seed.js";
import { createHttpServer } from "./server.js";
import { Clock, Store } from "./store.js";

export type { TokenName } from "./access.js";
export type { Dialect } from "./answers.js";
export { AdminInputError, type Control, type State } from "./control.js";
export { ControlPlaneError } from "./errors.js";
export type { Fault, FaultInput } from "./faults.js";
export type * from "./records.js";
export type { SeedInput } from "./seed.js";

/**
 * Options of {@link startControlPlane}.
 *
 * @category Starting
 */
export interface ControlPlaneOptions {
  /** The TCP port. Default: 0, which takes any free port. */
  readonly port?: number;
  /** The address to listen on. An address that is not loopback needs `expose`. Default: `"127.0.0.1"`. */
  readonly host?: string;
  /** Accepts requests from other machines. The tokens are not secret. Default: `false`. */
  readonly expose?: boolean;
  /** Path of an SQLite file for one process at a time, created if missing. Default: none, data stays in memory. */
  readonly file?: string;
  /** How it answers. Default: `"observed"`. */
  readonly dialect?: Dialect;
  /** The machine's time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
  /** Decides whether a fault with a probability applies: 0 inclusive to 1 exclusive. Default: `Math.random`. */
  readonly random?: () => number;
  /**
   * Called with problems of the control plane itself, such as a full disk. Such requests answer 500 or 503. Default: none.
   *
   * @param message One line.
   */
  readonly onProblem?: (message: string) => void;
  /**
   * Called with each request to the interface, before it is answered. Default: none.
   *
   * @param request Its journal entry.
   */
  readonly onRequest?: (request: Omit<JournalEntry, "id" | "body">) => void;
}

/** A running control plane. @category Starting */
export interface ControlPlane {
  /** Its URL without a trailing slash, such as `"http://127.0.0.1:4010"`. */
  readonly url: string;
  /** The development tokens by name. */
  readonly tokens: Readonly<Record<TokenName, string>>;
  /** The admin API, without HTTP. */
  readonly control: Control;
  /** Frees the port and the file within half a second, even with open connections. May be called again. */
  close(): Promise<void>;
}

/** How long pending answers may take after the server closes. */
const graceMs = 200;

/**
 * Starts a control plane for trials and tests. It answers all five operations. A new one has a few objects with fixed ids.
 *
 * @example
 *
 * ```ts
 * import { startControlPlane } from "pulumi-voiceplane/control-plane";
 *
 * const controlPlane = await startControlPlane();
 * controlPlane.control.setFaults([{ operation: "putRetentionPolicy", effect: "status", status: 503, count: 1 }]);
 * // … a program that calls controlPlane.url with controlPlane.tokens.full …
 * console.log(controlPlane.control.journal().map(({ method, path, status }) => `${method} ${path} ${status}`));
 * await controlPlane.close();
 * ```
 *
 * @param options Default: any free port on loopback, data in memory.
 * @returns The control plane, once it listens.
 * @throws {@link ControlPlaneError} if the file or port cannot be used, `host` needs `expose`, `dialect` is unknown, or Node
 * is too old. The message is one line with the fix.
 *
 * @category Starting
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { port = 0, host = "127.0.0.1", expose = false, dialect = "observed" } = options;
  const { now: machine = Date.now, random = Math.random, onProblem = () => undefined, onRequest } = options;
  // Programs without types may pass any value, which would answer like "bare".
  if (!dialects.includes(dialect)) throw new ControlPlaneError(`the dialect must be ${dialects.join(" or ")}`);
  if (!expose && !isLoopbackName(host)) {
    throw new ControlPlaneError(
      `${host} can be reached from other machines, and the tokens are public: set expose to allow it`,
    );
  }

  const store = new Store(options.file);
  const closing = new AbortController();
  try {
    const clock = new Clock(store, machine);
    const deps = { store, clock, faults: new Faults(store, random), rates: new RateLimiter(machine) };
    const control = new Control(deps);
    if (!isSeeded(store)) control.reset();

    const ownDeps = { dialect, expose, control, onProblem, onRequest, closing: closing.signal };
    const server = createHttpServer({ ...deps, ...ownDeps });
    const url = await listen(server, host, port);
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      closing.abort();
      await stop(server);
      store.close();
    };
    return { url, tokens, control, close: () => (closed ??= close()) };
  } catch (error) {
    store.close();
    throw error;
  }
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw explainListenError(error, host, port);
  }
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearTimeout(timer);
}
