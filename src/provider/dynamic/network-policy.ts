/** Named by the state of every stack that has this resource: this path stays for ever. */
import { networkPolicy } from "./providers.js";

export = networkPolicy;
