import { define, renameDoc, settingSection } from "../definition.js";
import { networkPolicyArgs as args, networkPolicyOutputs as outputs } from "./arguments.js";
import { networkPolicyLifecycle as lifecycle } from "./lifecycle.js";

export const networkPolicy = define({
  path: "network-policy",
  args,
  outputs,
  lifecycle,
  section: {
    ...settingSection,
    name: "networkPolicies",
    doc: `The ranges that the organization admits. ${renameDoc}`,
    content: "network policies",
    entryType: "OrganizationNetworkPolicy",
    entryDoc: "A `NetworkPolicy`, with `id` for `networkPolicyId`.",
    names: { id: "networkPolicyId" },
  },
});
