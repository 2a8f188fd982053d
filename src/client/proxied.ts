/** Connections through the proxy that the environment names. Few need it, so it is loaded on demand. */
import { EnvHttpProxyAgent, type Dispatcher } from "undici";

/** Fails if a proxy variable holds no URL. */
export function openProxied(options: EnvHttpProxyAgent.Options): Dispatcher {
  return new EnvHttpProxyAgent(options);
}
