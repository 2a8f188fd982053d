import type { ResourceTexts } from "../../schema/documentation.js";

export const texts: ResourceTexts = {
  category: "Trunks",
  summary:
    "Clears the outbound credentials of a SIP trunk. The interface cannot set them: cleared credentials cannot be restored.",
  verbs: {
    create:
      '`DELETE /v1/trunks/{trunk_id}/outbound-auth` for `cleared: true`, otherwise nothing. Nothing with `onCreate: "adopt"`.',
    update:
      "the same DELETE, if `cleared` becomes true, or with `cleared: true` if `triggers` changed, `reassertAfter` is due, or the last answer was lost.",
    read: "nothing: the trunk cannot be read.",
    delete: 'nothing for `onDelete: "retain"`, the default; the DELETE for `"clear"`. A 404 is then a success.',
  },
  errors: "403 if the token lacks the scope `trunks:write`; 404 for a trunk that does not exist.",
};
