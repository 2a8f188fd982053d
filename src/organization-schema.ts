/** The organization file: one organization's settings as YAML, and the JSON Schema that editors complete it with. */
import { z } from "zod";
import * as fields from "./resources/fields.js";

/** What a message about problems of the file begins with, one on each line after it. `voiceplane report` knows it by that. */
export const organizationFileHeading = "the organization file is not right, and nothing was sent:";

const retention = z.strictObject({
  days: fields.days,
  enabled: fields.enabled.optional(),
  onDelete: fields.retentionOnDelete.optional(),
  allowShortening: fields.allowShortening.optional(),
  reassertAfter: fields.wholeDays.optional(),
  reassertUnattended: fields.flag.optional(),
});

const networkPolicy = z.strictObject({
  id: fields.id,
  name: fields.policyName.optional(),
  sourceCidr: fields.cidr.optional(),
  mustInclude: fields.addresses.optional(),
  mustExclude: fields.addresses.optional(),
  onDelete: fields.networkOnDelete.optional(),
  reassertAfter: fields.wholeDays.optional(),
  reassertUnattended: fields.flag.optional(),
});

const trunk = z.strictObject({
  id: fields.id,
  outboundAuth: z
    .enum(["cleared", "tracked"])
    .describe('"cleared" (the trunk has no outbound authentication) or "tracked" (its credentials are set elsewhere)'),
  triggers: fields.triggers.optional(),
  onDelete: fields.trunkOnDelete.optional(),
  reassertAfter: fields.wholeDays.optional(),
  reassertUnattended: fields.flag.optional(),
});

const webhook = z.strictObject({
  id: fields.id,
  triggers: fields.triggers.optional(),
  rotateAfter: fields.wholeDays.optional(),
  rotateOnCreate: fields.flag.optional(),
  secretPath: fields.secretPath.optional(),
});

/** Names become parts of resource names, which the engine keeps in URNs. */
const named = <Entry extends z.ZodType>(entry: Entry, what: string) =>
  z
    .record(z.string().regex(/^[\w.-]+$/), entry)
    .describe(`a map from names (letters, digits, "-", "_", ".") to ${what}`);

export const organizationSchema = z
  .strictObject({
    retention: z
      .strictObject({
        recordings: retention.optional(),
        conversations: retention.optional(),
        audit_events: retention.optional(),
      })
      .describe("a map from recordings, conversations or audit_events to a policy")
      .optional(),
    networkPolicies: named(networkPolicy, "network policies").optional(),
    trunks: named(trunk, "trunks").optional(),
    webhooks: named(webhook, "webhooks").optional(),
  })
  .describe("a map with retention, networkPolicies, trunks and webhooks, each optional");

/** What an organization file says once it has been checked. */
export type OrganizationFile = z.infer<typeof organizationSchema>;

export function organizationJsonSchema(): object {
  return { title: "voiceplane organization", ...z.toJSONSchema(organizationSchema, { io: "input" }) };
}
