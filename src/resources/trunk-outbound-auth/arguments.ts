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
    "`true`: the trunk's credentials are cleared, and cannot be restored. `false`: the trunk is only tracked, without a request. " +
      "No default, so that a missing argument cannot clear a trunk.",
  ),
  triggers: documented(
    fields.triggers,
    "Values of your choice. With `cleared: true`, any change clears the credentials again. Default: none.",
  ).optional(),
  onDelete: documented(
    z.enum(["retain", "clear"]).describe('"retain" or "clear"'),
    'What destroy sends. `"retain"`: nothing. `"clear"`: clears the credentials, for good. Default: `"retain"`.',
    { fallback: "retain" },
  ).optional(),
  ...fields.sending,
  onCreate: fields.optionalOnCreate,
});
export type TrunkOutboundAuthArgs = z.infer<typeof trunkOutboundAuthArgs>;

export const trunkOutboundAuthOutputs = z.object({
  trunkId: documented(fields.id, "The trunk's id."),
  cleared: documented(fields.flag, "Whether the credentials were cleared, as last declared."),
  ...fields.settingOutputs,
});
