import { renameDoc, settingSection, type Section } from "../section.js";

export const networkPolicySection: Section<"networkPolicies"> = {
  ...settingSection,
  name: "networkPolicies",
  doc: `The ranges that the organization admits. ${renameDoc}`,
  content: "network policies",
  entryType: "OrganizationNetworkPolicy",
  entryDoc: "A `NetworkPolicy`, with `id` for `networkPolicyId`.",
  names: { id: "networkPolicyId" },
};
