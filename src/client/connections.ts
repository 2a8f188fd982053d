/** The connections that requests travel on, with or without a proxy. */
import type { Dispatcher } from "undici";
import type { Method } from "../contract.js";
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
  for(method: Method): Dispatcher;
  close(): Promise<void>;
}

/** Sends everything over a dispatcher of the caller, who closes it. */
export async function borrowed(dispatcher: Dispatcher): Promise<Connections> {
  return Promise.resolve({ for: () => dispatcher, close: () => Promise.resolve() });
}

/** Loads the transport, and opens no connection yet. Fails with ConfigError if a proxy variable holds no URL. */
export async function openConnections(base: URL, limits: ConnectionLimits): Promise<Connections> {
  const options = {
    // With HTTP/2 one lost connection loses several requests, and the transport may send some of them again.
    allowH2: false,
    connections: limits.connections,
    connectTimeout: limits.connectTimeoutMs,
    headersTimeout: limits.attemptTimeoutMs,
    bodyTimeout: limits.attemptTimeoutMs,
    maxHeaderSize: 32 * 1024,
  };
  // Plain http is allowed to this machine because it stays there. A proxy would break that.
  const proxied = !isLoopback(base) && proxiesSet().length > 0;
  const { Pool } = await import("undici");
  const { openProxied } = proxied ? await import("./proxied.js") : {};
  const open = (pipelining: 0 | 1): Dispatcher => {
    if (!openProxied) return new Pool(base.origin, { ...options, pipelining });
    try {
      return openProxied({ ...options, pipelining });
    } catch {
      // The message does not show the value: a proxy's URL may hold a password.
      const name = proxiesSet().join(" or ");
      const example = "http://gateway.example.com:3128";
      throw new ConfigError([`The environment variable ${name} is not a proxy's URL, such as ${example}.`]);
    }
  };
  const reused = open(1);
  // A server may close an idle connection just as a request goes out on it. Nobody can tell then whether it saw the
  // request. So the one request that must not be repeated gets a fresh connection each time.
  const fresh = open(0);
  return {
    for: (method) => (method === "POST" ? fresh : reused),
    close: async () => {
      await Promise.all([reused.close(), fresh.close()]);
    },
  };
}
