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
import { isLoopback } from "./settings.js";

export interface Connections {
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Lets running requests end, then closes the connections. */
  close(): Promise<void>;
}

/** A connection may take this long: name resolution, connecting and TLS, ms. */
const connectTimeout = 10_000;

// If a host has several addresses, Node gives each 250 ms. A slow link needs longer, and a lost first packet is sent again only after 1 s.
const addressFamilies = {
  autoSelectFamily: getDefaultAutoSelectFamily(),
  autoSelectFamilyAttemptTimeout: connectTimeout / 4,
};

/**
 * Loads the transport. Connections open with the first requests.
 *
 * @param connections open at a time
 * @throws ConfigError if the value of a proxy variable is not a URL
 */
export async function openConnections(base: URL, connections: number, env: Environment): Promise<Connections> {
  const { EnvHttpProxyAgent, Pool } = await import("./transport.js");
  const proxies = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].filter((name) => env[name]);
  const open = (pipelining: 0 | 1): Dispatcher => {
    // With HTTP/2 one lost connection loses several requests, and the transport may send some of them again.
    const options = { connections, connectTimeout, pipelining, allowH2: false, ...addressFamilies };
    // Plain http is allowed to this machine because it stays there. A proxy would break that.
    if (isLoopback(base) || proxies.length === 0) return new Pool(base.origin, options);
    // The transport does not pass these on to the connections of a proxy.
    const perConnection = addressFamilies as NonNullable<EnvHttpProxyAgent.Options["proxyTls"]>;
    return new EnvHttpProxyAgent({ ...options, proxyTls: perConnection, requestTls: perConnection });
  };
  try {
    // A server may close an idle connection just as a request is sent on it, and then it is unknown whether it got the request.
    // So a request that must not be repeated gets a new connection each time: with 0, none is reused.
    const [reused, fresh] = [open(1), open(0)];
    return {
      dispatch: (request, handler) => {
        (request.idempotent === true ? reused : fresh).dispatch(request, handler);
      },
      close: async () => {
        await Promise.all([reused.close(), fresh.close()]);
      },
    };
  } catch {
    // Without the value: a proxy's URL may contain a password.
    const text = `The environment variable ${proxies.join(" or ")} is not a proxy's URL, such as http://gateway.example.com:3128.`;
    throw new ConfigError(problem("setting-value", text));
  }
}
