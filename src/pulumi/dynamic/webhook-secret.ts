/** Named by the state of every stack that has this resource: this path stays for ever. */
import { owned } from "../../resources/rules.js";
import { webhookSecret } from "../../resources/webhook-secret.js";
import { dynamicProvider } from "./door.js";

export = dynamicProvider(owned(webhookSecret));
