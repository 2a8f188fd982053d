/** Named by the state of every stack that has this resource: this path stays for ever. */
import { withOrganizationRules } from "../../resources/rules.js";
import { trunkOutboundAuth } from "../../resources/trunk-outbound-auth.js";
import { dynamicProvider } from "./provider.js";

export = dynamicProvider(withOrganizationRules(trunkOutboundAuth));
