import type { ResourceTexts } from "../../schema/documentation.js";

export const texts: ResourceTexts = {
  category: "Webhooks",
  summary:
    "Rotates a webhook's signing secret, only when the program asks for it. The old secret may stop working at once: give both `secret` and `previousSecret` to the receiver.",
  verbs: {
    create: '`POST /v1/webhooks/{webhook_id}/rotate-secret`. Nothing with `onCreate: "adopt"`.',
    update:
      "the same POST, if `triggers` changed, `rotateAfter` is due, or the answer to the last rotation was lost. Nothing else rotates.",
    read: "`GET /v1/webhooks/`, once a run. A webhook that is not in the list stays in the state, with a warning.",
    delete: "nothing. The webhook keeps its secret, and the state forgets it.",
  },
  errors:
    "403 if the token lacks the scope `webhooks:write`; 404 for a webhook that does not exist. After a 5xx, a timeout or a broken connection the rotation is uncertain.",
};
