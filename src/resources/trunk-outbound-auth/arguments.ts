/** The properties of a TrunkOutboundAuth. */
import * as z from "zod";
import { documented } from "../../schema/documentation.js";
import * as fields from "../../schema/fields.js";

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
export type TrunkOutboundAuthArgs = z.infer<typeof trunkOutboundAuthArgs>;

export const trunkOutboundAuthOutputs = z.object({
  trunkId: documented(fields.id, "The trunk's id."),
  cleared: documented(fields.flag, "Whether the authentication was cleared, as last declared."),
  ...fields.settingOutputs,
});
