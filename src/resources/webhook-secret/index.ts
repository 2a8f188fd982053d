import { define } from "../definition.js";
import { webhookSecretArgs as args, webhookSecretOutputs as outputs } from "./arguments.js";
import { webhookSecret as lifecycle } from "./lifecycle.js";
import { fetchWebhooks as list } from "./list.js";
import { webhookSection as section } from "./section.js";

export const webhookSecret = define({ path: "webhook-secret", args, outputs, section, lifecycle, list });
