/**
 * The connections that requests travel on, with or without a proxy.
 *
 * Some timeouts are those of the transport and of Node. A resolver has its own, within the time for connecting. An idle connection is closed
 * after 4 s or what the server names, because only requests that may be repeated reuse one. TCP probes a silent one after 60 s.
 */
import { getDefaultAutoSelectFamily } from "node:net";
import type { Dispatcher, EnvHttpProxyAgent } from "undici";
import { problem } from "../values/diagnostic.js";
import type { Environment } from "../values/environment.js";
import { ConfigError } from "./errors.js";
import { isLoopback, type ConnectionLimits } from "./settings.js";

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
  const reused = await openDispatcher(base, limits, env, 1);
  // A server may close an idle connection just as a request is sent on it, and then it is unknown whether it got the request.
  // So a request that must not be repeated gets a new connection each time.
  const fresh = await openDispatcher(base, limits, env, 0);
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
  { connections, connectTimeoutMs: connectTimeout }: ConnectionLimits,
  env: Environment,
  pipelining: 0 | 1,
): Promise<Dispatcher> {
  // If a host has several addresses, Node gives each 250 ms. A slow link needs longer, and a lost first packet is sent again only after 1 s.
  const addressFamilies = {
    autoSelectFamily: getDefaultAutoSelectFamily(),
    autoSelectFamilyAttemptTimeout: Math.ceil(connectTimeout / 4),
  };
  // With HTTP/2 one lost connection loses several requests, and the transport may send some of them again.
  const options = {
    connections,
    connectTimeout,
    pipelining,
    allowH2: false,
    ...addressFamilies,
    maxHeaderSize: 32 * 1024,
  };
  const { EnvHttpProxyAgent, Pool } = await import("./transport.js");
  const proxies = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].filter((name) => env[name]);
  // Plain http is allowed to this machine because it stays there. A proxy would break that.
  if (isLoopback(base) || proxies.length === 0) return new Pool(base.origin, options);
  try {
    // The transport does not pass these on to the connections of a proxy.
    const perConnection = addressFamilies as NonNullable<EnvHttpProxyAgent.Options["proxyTls"]>;
    return new EnvHttpProxyAgent({ ...options, proxyTls: perConnection, requestTls: perConnection });
  } catch {
    // Without the value: a proxy's URL may contain a password.
    const text = `The environment variable ${proxies.join(" or ")} is not a proxy's URL, such as http://gateway.example.com:3128.`;
    throw new ConfigError(problem("setting-value", text));
  }
}
