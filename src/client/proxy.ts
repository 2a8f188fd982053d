/** The environment variables that send requests through a proxy. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

/** Those that are set. */
export function proxiesSet(): string[] {
  return proxyVariables.filter((name) => process.env[name]);
}
