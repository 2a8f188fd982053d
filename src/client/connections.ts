/**
 * The connections that requests travel on, with or without a proxy.
 *
 * Timeouts of the transport and of Node that stay: a resolver's, which the time for connecting includes; 4 s until an idle connection is
 * closed, or what the server names, because only requests that may be repeated reuse one; 60 s until TCP probes a silent one.
 */
import { getDefaultAutoSelectFamily } from "node:net";
import type { Dispatcher, EnvHttpProxyAgent } from "undici";
import { problem } from "../values/diagnostic.js";
import type { Environment } from "../values/environment.js";
import { ConfigError } from "./errors.js";
import { isLoopback, proxiesSet, type ConnectionLimits } from "./settings.js";

export interface Connections {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Lets running requests end, then closes the connections. */
  close(): Promise<void>;
}

/**
 * Loads the transport. Connections open with the first requests.
 *
 * @throws ConfigError if the value of a proxy variable is not a URL
 */
export async function openConnections(base: URL, limits: ConnectionLimits, env: Environment): Promise<Connections> {
  const reused = await openDispatcher(base, limits, proxiesSet(env), 1);
  // A server may close an idle connection just as a request is sent on it, and then it is unknown whether it got the request.
  // So a request that must not be repeated gets a new connection each time.
  const fresh = await openDispatcher(base, limits, proxiesSet(env), 0);
  return {
    dispatch: (request, handler) => {
      (request.idempotent === true ? reused : fresh).dispatch(request, handler);
    },
    close: async () => {
      await Promise.all([reused.close(), fresh.close()]);
    },
  };
}

/** @param pipelining 0: each request has a connection of its own */
async function openDispatcher(
  base: URL,
  limits: ConnectionLimits,
  proxies: string[],
  pipelining: 0 | 1,
): Promise<Dispatcher> {
  const { connections, connectTimeoutMs: connectTimeout } = limits;
  // Node gives up an address of several after 250 ms, which a slow link needs. A first packet that was lost is sent again after 1 s.
  const families = {
    autoSelectFamily: getDefaultAutoSelectFamily(),
    autoSelectFamilyAttemptTimeout: Math.ceil(connectTimeout / 4),
  };
  const options = {
    connections,
    connectTimeout,
    pipelining,
    // With HTTP/2 one lost connection loses several requests, and the transport may send some of them again.
    allowH2: false,
    ...families,
    maxHeaderSize: 32 * 1024,
  };
  // Plain http is allowed to this machine because it stays there. A proxy would break that.
  if (isLoopback(base) || proxies.length === 0) {
    const { Pool } = await import("undici");
    return new Pool(base.origin, options);
  }
  const { openProxied } = await import("./proxied.js");
  try {
    // The transport does not pass these on to the connections of a proxy.
    const perConnection = families as NonNullable<EnvHttpProxyAgent.Options["proxyTls"]>;
    return openProxied({ ...options, proxyTls: perConnection, requestTls: perConnection });
  } catch {
    // Without the value: a proxy's URL may contain a password.
    const name = proxies.join(" or ");
    const example = "http://gateway.example.com:3128";
    const text = `The environment variable ${name} is not a proxy's URL, such as ${example}.`;
    throw new ConfigError(problem("proxy-url", text));
  }
}
