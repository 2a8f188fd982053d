import type { ResourceTexts } from "../../schema/documentation.js";

export const texts: ResourceTexts = {
  category: "Trunks",
  summary:
    "Clears the outbound authentication of a SIP trunk. The interface cannot set it: cleared credentials cannot be restored here.",
  verbs: {
    create:
      '`DELETE /v1/trunks/{trunk_id}/outbound-auth` for `cleared: true`, otherwise nothing. Nothing with `onCreate: "adopt"`.',
    update:
      "the same DELETE, if `cleared` becomes true, or with `cleared: true` if `triggers` changed, `reassertAfter` is due, or the " +
      "last answer was lost. A change from true to false sends nothing, because credentials cannot be restored.",
    read: "nothing, because the interface cannot read the trunk.",
    delete: 'nothing for `onDelete: "retain"`, the default; the DELETE for `"clear"`. A 404 is then a success.',
  },
  errors: "403 if the token lacks the scope `trunks:write`; 404 for a trunk that does not exist.",
};
