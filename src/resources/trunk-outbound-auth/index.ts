import { define } from "../definition.js";
import {
  trunkOutboundAuth as lifecycle,
  trunkOutboundAuthArgs as args,
  trunkOutboundAuthOutputs as outputs,
} from "./lifecycle.js";
import { trunkSection as section } from "./section.js";

export const trunkOutboundAuth = define({ path: "trunk-outbound-auth", args, outputs, section, lifecycle });
