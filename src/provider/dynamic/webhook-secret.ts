/** Named by the state of every stack that has this resource: this path stays for ever. */
import { webhookSecret } from "./providers.js";

export = webhookSecret;
