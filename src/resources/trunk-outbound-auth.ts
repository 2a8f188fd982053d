/**
 * TrunkOutboundAuth: whether a SIP trunk has outbound authentication. The interface can clear it and nothing else.
 *
 *   create, update  DELETE /v1/trunks/{trunk_id}/outbound-auth where cleared is true: on create, when cleared becomes true,
 *                   for a change of triggers, a due reassertOn, or a lost answer; nothing where cleared is false
 *   read            nothing: the interface has no way to ask
 *   delete          nothing for onDelete "retain"; the DELETE for "clear", where a 404 counts as success
 */
import { z } from "zod";
import { clearTrunkOutboundAuth } from "../client/operations.js";
import * as fields from "./fields.js";
import { shown } from "./fields.js";
import { setting, type SettingInputs, type SettingState } from "./setting.js";

export const trunkOutboundAuthArgs = z.strictObject({
  trunkId: shown(fields.id, "The trunk's id, as the platform shows it. Another id is another trunk."),
  cleared: fields.flag,
  triggers: shown(
    fields.triggers,
    "Values of your choice: where outboundAuth is cleared, any change clears once more. Default: none.",
  ).optional(),
  onDelete: shown(
    fields.trunkOnDelete,
    'What happens when the entry is removed or the stack destroyed. Default: "retain", which sends nothing. Risk: "clear" ' +
      "removes the trunk's credentials.",
  ).optional(),
  ...fields.reassertion,
});
type Args = z.infer<typeof trunkOutboundAuthArgs>;

export type TrunkOutboundAuthInputs = SettingInputs<Args>;
export type TrunkOutboundAuthState = SettingState<Args, "trunkId" | "cleared" | "triggers">;

export const trunkOutboundAuth = setting<Args, "trunkId", "cleared" | "triggers">({
  type: "TrunkOutboundAuth",
  identity: "trunkId",
  args: trunkOutboundAuthArgs,
  sent: ["cleared", "triggers"],

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
