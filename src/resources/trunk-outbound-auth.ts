/** TrunkOutboundAuth: whether a SIP trunk has outbound authentication. */
import * as z from "zod";
import { clearTrunkOutboundAuth } from "../client/operations.js";
import * as fields from "./fields.js";
import { documented, type ResourceDocs } from "./documentation.js";
import { setting, type SettingInputs, type SettingState } from "./setting.js";

export const trunkOutboundAuthArgs = z.strictObject({
  trunkId: documented(fields.id, "The trunk's id, as the platform shows it. Another id is another trunk."),
  cleared: documented(
    fields.flag,
    "`true`: this trunk has no outbound authentication; what it has is cleared, and calls that need it fail. `false`: only keeps " +
      "track of the trunk, whose credentials are set elsewhere; `triggers` and `reassertAfter` then have no effect. Required, so " +
      "that an omission never clears a trunk. Risk: clearing it cannot be undone here.",
  ),
  triggers: documented(
    fields.triggers,
    "Values of your choice: where the authentication is cleared, any change clears it once more. Default: none.",
  ).optional(),
  onDelete: documented(
    fields.trunkOnDelete,
    'What happens when the trunk is removed or the stack destroyed. `"retain"`: nothing is sent. `"clear"`: clears the ' +
      'authentication; a trunk that is gone is fine. Default: `"retain"`. Risk: `"clear"` removes the trunk\'s credentials.',
    { fallback: "retain" },
  ).optional(),
  ...fields.reassertion,
});
type Args = z.infer<typeof trunkOutboundAuthArgs>;

export const trunkOutboundAuthOutputs = z.object({
  trunkId: documented(fields.id, "The trunk's id."),
  cleared: documented(fields.flag, "Whether the authentication was cleared, as last declared."),
  account: fields.account,
});

export const trunkOutboundAuthDocs: ResourceDocs<Args> = {
  category: "Trunks",
  summary: "Whether a SIP trunk has outbound authentication. The interface can clear it, and nothing else.",
  verbs: {
    create: "`DELETE /v1/trunks/{trunk_id}/outbound-auth` where `cleared` is true, else nothing.",
    update:
      "the same DELETE where `cleared` becomes true, and with `cleared: true` where `triggers` changed, a `reassertAfter` is " +
      "due, or the last answer was lost. From true to false nothing is sent: credentials cannot be given back.",
    read: "nothing; the interface has no way to ask.",
    delete: 'nothing for `onDelete: "retain"`, the default; the DELETE for `"clear"`, where a 404 counts as success.',
  },
  errors: "403 where the token lacks the scope `trunks:write`; 404 for a trunk that does not exist.",
  example: { name: "carrier-a", args: { trunkId: "b0000000-0000-4000-8000-000000000001", cleared: true } },
};

export type TrunkOutboundAuthInputs = SettingInputs<Args>;
export type TrunkOutboundAuthState = SettingState<Args, "trunkId" | "cleared" | "triggers">;

export const trunkOutboundAuth = setting<Args, "trunkId", "cleared" | "triggers">({
  type: "TrunkOutboundAuth",
  identity: "trunkId",
  args: trunkOutboundAuthArgs,
  properties: ["cleared", "triggers"],

  // With `cleared: false` the credentials are set elsewhere.
  sends: ({ cleared }) => cleared,

  send: ({ api }, { trunkId }) => clearTrunkOutboundAuth(api, trunkId),

  async undo({ api }, { trunkId }) {
    try {
      await clearTrunkOutboundAuth(api, trunkId);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
});

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 404;
}
