import { entry } from "../entry.js";
import { webhookSecretArgs as args, webhookSecretOutputs as outputs } from "./arguments.js";
import { webhookSecret as lifecycle } from "./lifecycle.js";
import { webhookSection as section } from "./section.js";

export const webhookSecret = entry({ path: "webhook-secret", args, outputs, section, lifecycle });
