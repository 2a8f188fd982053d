/** The connections that requests travel on, with or without a proxy. */
import type { Dispatcher } from "undici";
import type { Attempt } from "./attempt.js";
import { ConfigError } from "./errors.js";
import { isLoopback, proxiesSet } from "./settings.js";

export interface ConnectionLimits {
  /** Connections open at a time; further requests wait. */
  readonly connections: number;
  /** Time for name resolution, connecting and TLS, ms. */
  readonly connectTimeoutMs: number;
  /** Time for one attempt as a whole, ms. */
  readonly attemptTimeoutMs: number;
}

export interface Connections {
  /** Sends a request. `onFree` is called when another one may have its connection. */
  dispatch(request: Dispatcher.DispatchOptions, attempt: Attempt, onFree: () => void): void;
  /** Lets running requests end, then closes the connections. */
  close(): Promise<void>;
}

/** Sends everything over a dispatcher that the caller closes. */
export function connectionsOver(dispatcher: Dispatcher): Connections {
  return {
    dispatch: (request, attempt, onFree) => {
      attempt.onFree = onFree;
      dispatcher.dispatch(request, attempt);
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Loads the transport. Connections open with the first requests.
 *
 * @throws ConfigError if the value of a proxy variable is not a URL
 */
export async function openConnections(base: URL, limits: ConnectionLimits): Promise<Connections> {
  const { isPool, open } = await transport(base, limits);
  const connections = (pipelining: Pipelining): Connections => {
    if (!isPool) return new Slots(() => open(pipelining));
    const pool = open(pipelining);
    return { ...connectionsOver(pool), close: () => pool.close() };
  };
  const reused = connections(1);
  // A server may close an idle connection just as a request is sent on it, and then it is unknown whether it got the request.
  // So a request that must not be repeated gets a new connection each time.
  const fresh = connections(0);
  return {
    dispatch: (request, attempt, onFree) => {
      (request.idempotent === true ? reused : fresh).dispatch(request, attempt, onFree);
    },
    close: async () => {
      await Promise.all([reused.close(), fresh.close()]);
    },
  };
}

/** The transport of {@link openConnections}, for one request at a time. */
export async function openDispatcher(base: URL, limits: ConnectionLimits): Promise<Dispatcher> {
  return (await transport(base, limits)).open(1);
}

/** 0: each request has a connection of its own. */
type Pipelining = 0 | 1;

interface Transport {
  /** Whether what it opens is a pool of connections, or one connection. */
  readonly isPool: boolean;
  readonly open: (pipelining: Pipelining) => Dispatcher;
}

async function transport(base: URL, limits: ConnectionLimits): Promise<Transport> {
  const { connections, connectTimeoutMs: connectTimeout, attemptTimeoutMs } = limits;
  const options = {
    // With HTTP/2 one lost connection loses several requests, and the transport may send some of them again.
    allowH2: false,
    // Longer than the client's own timeout, which is the one that should end an attempt.
    headersTimeout: 2 * attemptTimeoutMs,
    bodyTimeout: 2 * attemptTimeoutMs,
    maxHeaderSize: 32 * 1024,
  };
  // Plain http is allowed to this machine because it stays there. A proxy would break that.
  if (isLoopback(base) || proxiesSet().length === 0) {
    const { buildConnector, Client } = await import("undici");
    // One for all connections, so that they resume each other's TLS sessions.
    const connect = buildConnector({ allowH2: false, timeout: connectTimeout });
    return { isPool: false, open: (pipelining) => new Client(base.origin, { ...options, connect, pipelining }) };
  }
  const { openProxied } = await import("./proxied.js");
  const open = (pipelining: Pipelining) => {
    try {
      return openProxied({ ...options, connections, connectTimeout, pipelining });
    } catch {
      // Without the value: a proxy's URL may contain a password.
      const name = proxiesSet().join(" or ");
      const example = "http://gateway.example.com:3128";
      throw new ConfigError([`The environment variable ${name} is not a proxy's URL, such as ${example}.`]);
    }
  };
  return { isPool: true, open };
}

/**
 * Connections with one request each at a time. The one used last is used first: a server is least likely to have closed it. A list of
 * free connections is faster than a pool, which asks each of its connections.
 */
class Slots implements Connections {
  readonly #open: () => Dispatcher;
  readonly #opened: Dispatcher[] = [];
  readonly #free: Dispatcher[] = [];

  constructor(open: () => Dispatcher) {
    this.#open = open;
  }

  dispatch(request: Dispatcher.DispatchOptions, attempt: Attempt, onFree: () => void): void {
    const connection = this.#free.pop() ?? this.#another();
    attempt.onFree = () => {
      this.#free.push(connection);
      onFree();
    };
    connection.dispatch(request, attempt);
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((connection) => connection.close()));
  }

  #another(): Dispatcher {
    const connection = this.#open();
    this.#opened.push(connection);
    return connection;
  }
}
