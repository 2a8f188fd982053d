/** Named by the state of every stack that has this resource: this path stays for ever. */
import { resources } from "../../resources/index.js";
import { dynamicProvider } from "./provider.js";

export = dynamicProvider(resources.WebhookSecret.lifecycle);
