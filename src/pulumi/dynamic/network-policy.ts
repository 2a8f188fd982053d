/** Named by the state of every stack that has this resource: this path stays for ever. */
import { withOrganizationRules } from "../../resources/rules.js";
import { networkPolicy } from "../../resources/network-policy.js";
import { dynamicProvider } from "./provider.js";

export = dynamicProvider(withOrganizationRules(networkPolicy));
