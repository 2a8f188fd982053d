/** Named by the state of every stack that has this resource: this path stays for ever. */
import { retentionPolicy } from "./providers.js";

export = retentionPolicy;
