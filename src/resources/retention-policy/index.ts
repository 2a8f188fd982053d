import { define } from "../definition.js";
import { retentionPolicyArgs as args, retentionPolicyOutputs as outputs } from "./arguments.js";
import { retentionPolicy as lifecycle } from "./lifecycle.js";
import { retentionSection as section } from "./section.js";

export const retentionPolicy = define({ path: "retention-policy", args, outputs, section, lifecycle });
