import type { ResourceTexts } from "../../schema/documentation.js";

export const texts: ResourceTexts = {
  category: "Network policies",
  summary: "The name and source range of an existing network policy.",
  verbs: {
    create:
      '`PATCH /v1/network-policies/{network_policy_id}` with every declared field. Nothing with `onCreate: "adopt"`.',
    update:
      "the same PATCH, if a declared field changed, `reassertAfter` is due, or the last answer was lost. A field that is no longer declared stays as it is.",
    read: "nothing: the policy cannot be read.",
    delete: 'nothing for `onDelete: "retain"`, the default; the PATCH with the given fields otherwise.',
  },
  errors:
    "403 if the token may not change networking, the organization has no private networking, or its network policy does not admit this machine. A 500 may mean an unknown id: correct the id, or remove the resource.",
};
