import { define } from "../definition.js";
import { networkPolicyArgs as args, networkPolicyOutputs as outputs } from "./arguments.js";
import { networkPolicy as lifecycle } from "./lifecycle.js";
import { networkPolicySection as section } from "./section.js";

export const networkPolicy = define({ path: "network-policy", args, outputs, section, lifecycle });
