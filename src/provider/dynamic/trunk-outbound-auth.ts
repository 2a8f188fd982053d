/** Named by the state of every stack that has this resource: this path stays for ever. */
import { trunkOutboundAuth } from "./providers.js";

export = trunkOutboundAuth;
