// Written from src/resources by `npm run schema`: change it there.
/** The providers of all types, as one module: they share their connections, and the package has them as one file. */
import "../supported-node.js";
import "../engine-watch.js";
import { resources } from "../../resources/index.js";
import { dynamicProvider } from "./provider.js";

export const retentionPolicy = dynamicProvider(resources.RetentionPolicy.lifecycle);
export const networkPolicy = dynamicProvider(resources.NetworkPolicy.lifecycle);
export const trunkOutboundAuth = dynamicProvider(resources.TrunkOutboundAuth.lifecycle);
export const webhookSecret = dynamicProvider(resources.WebhookSecret.lifecycle);
