import type { ResourceTexts } from "../../schema/documentation.js";

export const texts: ResourceTexts = {
  category: "Retention",
  summary: "How long the organization keeps one kind of data.",
  verbs: {
    create:
      '`PUT /v1/retention-policies/{resource}`, which may delete data: it replaces a setting that cannot be read. Nothing with `onCreate: "adopt"`.',
    update:
      "the same PUT, if `retentionDays` or `enabled` changed, `reassertAfter` is due, or the last answer was lost.",
    read: "nothing: the setting cannot be read.",
    delete:
      'nothing for `onDelete: "retain"`, the default; the PUT with `enabled: false` for `"disable"`; the PUT with the given values otherwise.',
  },
  errors:
    "402 or 403 if the token may not change retention, the organization has no retention policies, or its plan allows fewer days.",
};
