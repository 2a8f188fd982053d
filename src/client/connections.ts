/** Which connections requests travel on. */
import type { Dispatcher } from "undici";
import { ConfigError } from "./errors.js";
import type { Method } from "../contract.js";
import { proxiesSet } from "./proxy.js";
import { isLoopback } from "./settings.js";

export interface ConnectionLimits {
  /** Connections open at a time; further requests wait. */
  readonly connections: number;
  /** Time for name resolution, connecting and TLS, ms. */
  readonly connectTimeoutMs: number;
  /** Time for one attempt as a whole, ms. */
  readonly attemptTimeoutMs: number;
}

export interface Connections {
  for(method: Method): Dispatcher;
  close(): Promise<void>;
}

/** Everything over one dispatcher that belongs to somebody else, who closes it. */
export function borrowed(dispatcher: Dispatcher): Connections {
  return { for: () => dispatcher, close: () => Promise.resolve() };
}

/**
 * Opens no connection yet, but loads the transport: call it when there is something to send.
 *
 * @throws ConfigError where a proxy variable of the environment does not hold a URL
 */
export async function openConnections(base: URL, limits: ConnectionLimits): Promise<Connections> {
  const { EnvHttpProxyAgent, Pool } = await import("undici");
  const options = {
    // With HTTP/2 a lost connection takes several requests along, and the transport may re-send some of them.
    allowH2: false,
    connections: limits.connections,
    connectTimeout: limits.connectTimeoutMs,
    headersTimeout: limits.attemptTimeoutMs,
    bodyTimeout: limits.attemptTimeoutMs,
    maxHeaderSize: 32 * 1024,
  };
  // To this machine's own address nothing goes by a proxy: plain http is allowed there because it does not leave.
  const proxied = !isLoopback(base) && proxiesSet().length > 0;
  const open = (pipelining: 0 | 1): Dispatcher =>
    proxied
      ? withProxy(() => new EnvHttpProxyAgent({ ...options, pipelining }))
      : new Pool(base.origin, { ...options, pipelining });
  const reused = open(1);
  // A server may close an idle connection in the moment in which a request goes out on it, and then nobody can tell
  // whether the request was seen. For the one request that must not be repeated this is avoided: a fresh connection each.
  const fresh = open(0);
  return {
    for: (method) => (method === "POST" ? fresh : reused),
    close: async () => {
      await Promise.all([reused.close(), fresh.close()]);
    },
  };
}

/** The message names no value: a proxy's URL may hold a password. */
function withProxy(open: () => Dispatcher): Dispatcher {
  try {
    return open();
  } catch {
    const set = proxiesSet().join(" or ");
    throw new ConfigError([
      `The environment variable ${set} is not a proxy's URL, such as http://gateway.example.com:3128.`,
    ]);
  }
}
