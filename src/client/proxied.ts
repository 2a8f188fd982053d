/** Connections through the proxy of the environment, in a file that is loaded on demand because few need it. */
import { EnvHttpProxyAgent, type Dispatcher } from "undici";

/** @throws Error if the value of a proxy variable is not a URL */
export function openProxied(options: EnvHttpProxyAgent.Options): Dispatcher {
  return new EnvHttpProxyAgent(options);
}
