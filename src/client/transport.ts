/**
 * What this package uses of undici, in a file that is loaded with the first request. It is bundled, like that of proxies: a project may pin another version of
 * undici.
 */
export { Client, Pool } from "undici";
