/**
 * What this package uses of undici, in a file that is loaded with the first request. It is bundled, because a project may pin another version
 * of undici.
 */
export { EnvHttpProxyAgent, Pool } from "undici";
