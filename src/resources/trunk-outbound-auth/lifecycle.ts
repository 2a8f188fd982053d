/** TrunkOutboundAuth: whether a SIP trunk has outbound authentication. */
import * as z from "zod";
import { ApiError } from "../../client/errors.js";
import { clearTrunkOutboundAuth } from "../../client/operations.js";
import { trunkOutboundAuthEffects } from "./effects.js";
import { guardsOf } from "../../lifecycle/effects/guards.js";
import * as fields from "../../schema/fields.js";
import { documented } from "../../schema/documentation.js";
import { setting } from "../../lifecycle/setting.js";

export const trunkOutboundAuthArgs = z.strictObject({
  trunkId: documented(
    fields.id,
    "The id of an existing trunk, as the platform shows it. A change replaces the resource.",
  ),
  cleared: documented(
    fields.flag,
    "`true`: the trunk has no outbound authentication, and calls that need it fail. Its credentials are cleared, and cannot be " +
      "restored. `false`: the trunk is only tracked, and its credentials are set elsewhere. `triggers` and `reassertAfter` then have " +
      "no effect. It has no default, so that a missing argument cannot clear a trunk.",
  ),
  triggers: documented(
    fields.triggers,
    "Values of your choice. With `cleared: true`, any change clears the authentication again. Default: none.",
  ).optional(),
  onDelete: documented(
    z.enum(["retain", "clear"]).describe('"retain" or "clear"'),
    'What destroying the resource sends. `"retain"`: nothing. `"clear"`: clears the authentication. The credentials cannot be ' +
      'restored. Default: `"retain"`.',
    { fallback: "retain" },
  ).optional(),
  ...fields.sending,
  onCreate: fields.optionalOnCreate,
});
type Args = z.infer<typeof trunkOutboundAuthArgs>;

export const trunkOutboundAuthOutputs = z.object({
  trunkId: documented(fields.id, "The trunk's id."),
  cleared: documented(fields.flag, "Whether the authentication was cleared, as last declared."),
  confirmed: fields.confirmed,
  requestId: fields.requestId,
  organization: fields.organization,
});

export const trunkOutboundAuth = setting<Args, "trunkId", "cleared" | "triggers">({
  type: "TrunkOutboundAuth",
  identity: "trunkId",
  args: trunkOutboundAuthArgs,
  properties: ["cleared", "triggers"],

  everSends: ({ cleared }) => cleared !== false,

  doubt: "it is unknown whether its last request was carried out: its outbound credentials may be gone.",

  effects: trunkOutboundAuthEffects,
  worst: ["cuts a trunk"],
  sentProperties: ["cleared", "triggers"],
  guards: guardsOf({}),
  sent: () => "cleared",

  send: ({ api }, { trunkId }) => clearTrunkOutboundAuth(api, trunkId),

  async undo({ api }, { trunkId }) {
    try {
      await clearTrunkOutboundAuth(api, trunkId);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
  },
});
