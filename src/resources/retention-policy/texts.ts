import type { ResourceTexts } from "../../schema/documentation.js";

export const texts: ResourceTexts = {
  category: "Retention",
  summary: "How long the organization keeps one kind of data.",
  verbs: {
    create:
      "`PUT /v1/retention-policies/{resource}`. It replaces the previous setting, which cannot be read, so the first PUT may " +
      'delete data. Nothing with `onCreate: "adopt"`.',
    update:
      "the same PUT, if `retentionDays` or `enabled` changed, `reassertAfter` is due, or the last request may have been carried out. Other changes " +
      "send nothing.",
    read: "nothing, because the interface cannot read the setting.",
    delete:
      'nothing for `onDelete: "retain"`, the default; the PUT with `enabled: false` for `"disable"`; the PUT with the given values ' +
      "otherwise.",
  },
  errors:
    "402 or 403 if the token has no retention permissions, the organization has no entitlement for retention policies, or its " +
    "plan allows fewer days.",
};
