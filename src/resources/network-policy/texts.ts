import type { ResourceTexts } from "../../schema/documentation.js";

export const texts: ResourceTexts = {
  category: "Network policies",
  summary: "The name and source range of an existing network policy.",
  verbs: {
    create:
      '`PATCH /v1/network-policies/{network_policy_id}` with every declared field. Nothing with `onCreate: "adopt"`.',
    update:
      "the same PATCH, if a declared field changed, `reassertAfter` is due, or the last request may have been carried out. A field that is no " +
      "longer declared is no longer managed. Other changes send nothing.",
    read: "nothing, because the interface cannot read the policy.",
    delete: 'nothing for `onDelete: "retain"`, the default; the PATCH with the given fields otherwise.',
  },
  errors:
    "403 if the token has no networking permissions, the organization has no entitlement for private networking, or its network " +
    "policy does not admit this machine. A 500 may mean an unknown id, or hide a change, so the state keeps the " +
    "resource as incomplete, and the next update sends again: correct the id, or remove the resource.",
};
