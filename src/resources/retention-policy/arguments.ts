/** The properties of a RetentionPolicy. */
import * as z from "zod";
import { retentionDaysLimits, retentionResources } from "../../contract/index.js";
import { documented, typeNamed } from "../../schema/documentation.js";
import * as fields from "../../schema/fields.js";

const retentionResource = typeNamed(
  z.enum(retentionResources).describe(`one of ${retentionResources.map((name) => `"${name}"`).join(", ")}`),
  "RetentionResource",
  "A kind of data with a retention policy.",
  { typeFrom: "contract/index.ts" },
);

const days = z
  .int()
  .min(retentionDaysLimits.min)
  .max(retentionDaysLimits.max)
  .describe(`a whole number of days from ${retentionDaysLimits.min} to ${retentionDaysLimits.max}`);

const shorteningStep = typeNamed(
  z.strictObject({
    from: documented(days, "The days that are declared now."),
    to: documented(days, "The new days."),
  }),
  "ShorteningStep",
  "One step to fewer days.",
);

const allowShortening = z
  .union([shorteningStep, z.array(shorteningStep)])
  .describe("{ from, to } in days: exactly the step to allow, or a list of such steps");

const retainOrDisable = [z.literal("retain"), z.literal("disable")] as const;

const settingDays = documented(days, "How many days this kind of data is kept. Fewer days delete data permanently.");
const settingEnabled = documented(fields.flag, "Whether the policy is in force.");
const retentionSetting = typeNamed(
  z.strictObject({ retentionDays: settingDays, enabled: settingEnabled }),
  "RetentionSetting",
  "The policy that destroy sets.",
);
const organizationRetentionSetting = typeNamed(
  z.strictObject({ days: settingDays, enabled: settingEnabled }),
  "OrganizationRetentionSetting",
  "The policy that destroy sets, with `days` for `retentionDays`.",
);

const retentionOnDelete = z
  .union([...retainOrDisable, retentionSetting])
  .describe('"retain", "disable" or { retentionDays: 1 to 3650, enabled: true or false }');

/** The `onDelete` of an entry of an organization, which accepts `days` and `retentionDays`. */
export const organizationRetentionOnDelete = z
  .union([...retainOrDisable, organizationRetentionSetting, retentionSetting])
  .describe('"retain", "disable" or { days: 1 to 3650, enabled: true or false }');

export const retentionPolicyArgs = z.strictObject({
  resource: documented(retentionResource, "The kind of data. A policy keeps its kind."),
  retentionDays: documented(
    days,
    "How many days this kind of data is kept. Fewer days delete data for good, so the preview refuses them unless `allowShortening` " +
      "names the step. The first update may delete data too.",
  ),
  enabled: documented(fields.flag, "Whether the policy is in force. Default: `true`.", { fallback: true }).optional(),
  onDelete: documented(
    retentionOnDelete,
    'What destroy sends. `"retain"`: nothing. `"disable"`: the same days with `enabled: false`. An object: its values; fewer days need ' +
      '`allowShortening`. Default: `"retain"`.',
  ).optional(),
  allowShortening: documented(
    allowShortening,
    "The only steps to fewer days that are allowed. Each deletes data for good. Default: none.",
  ).optional(),
  ...fields.sending,
});
export type RetentionPolicyArgs = z.infer<typeof retentionPolicyArgs>;

export const retentionPolicyOutputs = z.object({
  resource: documented(retentionResource, "The kind of data."),
  retentionDays: documented(days, "The days as last sent."),
  enabled: documented(fields.flag, "Whether the policy is in force, as last sent."),
  ...fields.settingOutputs,
});
