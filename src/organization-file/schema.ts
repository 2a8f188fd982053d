/** The organization file: one organization's settings as YAML, and the JSON Schema that editors complete it with. */
import { z } from "zod";
import * as fields from "../resources/fields.js";

/** What a message about problems of the file begins with, one on each line after it. `voiceplane report` knows it by that. */
export const organizationFileHeading = "the organization file is not right, and nothing was sent:";

/** What an editor shows of a property: what it does, its default and its risk. The rule for its values comes after it. */
const shown = <Schema extends z.ZodType>(schema: Schema, hover: string): Schema => schema.meta({ hover });

const reassertAfter = shown(
  fields.wholeDays,
  "Sends the setting again at the first update after each such time, which undoes what was changed elsewhere. Default: never. " +
    "Risk: it replaces a setting that nobody can look up.",
).optional();

const reassertUnattended = shown(
  fields.flag,
  "Whether a pipeline may send what reassertAfter makes due without a person's approval. Default: false.",
).optional();

const retention = z.strictObject({
  days: shown(
    fields.days,
    "How long this kind of data is kept. Risk: fewer days than before delete data for good, and so may the first update, which " +
      "replaces a setting that nobody can look up.",
  ),
  enabled: shown(
    fields.enabled,
    "Whether the policy is in force. Default: true. Risk: what happens to the data without it is up to the server.",
  ).optional(),
  onDelete: shown(
    fields.organizationRetentionOnDelete,
    'What happens when the entry is removed or the stack destroyed. Default: "retain", which sends nothing. Risk: fewer days ' +
      "delete data for good.",
  ).optional(),
  allowShortening: shown(
    fields.allowShortening,
    "Allows days to become fewer by exactly this step, and no other. Default: none. Risk: the step deletes data for good.",
  ).optional(),
  reassertAfter,
  reassertUnattended,
});

const networkPolicy = z.strictObject({
  id: shown(fields.id, "The policy's id, as the platform shows it. It has to exist. Another id is another policy."),
  name: shown(fields.policyName, "The policy's name. Default: not managed.").optional(),
  sourceCidr: shown(
    fields.cidr,
    "The range that the policy is about. Default: not managed. Risk: a range without the pipeline's own address may lock it out.",
  ).optional(),
  mustInclude: shown(
    fields.addresses,
    "What sourceCidr has to contain, such as the pipeline's own address; otherwise it is refused at preview. Default: none.",
  ).optional(),
  mustExclude: shown(
    fields.addresses,
    "What sourceCidr must not contain; otherwise it is refused at preview. Default: none.",
  ).optional(),
  onDelete: shown(
    fields.networkOnDelete,
    'What happens when the entry is removed or the stack destroyed. Default: "retain", which sends nothing. Risk: another range ' +
      "may lock the pipeline out.",
  ).optional(),
  reassertAfter,
  reassertUnattended,
});

const trunk = z.strictObject({
  id: shown(fields.id, "The trunk's id, as the platform shows it. Another id is another trunk."),
  outboundAuth: shown(
    z
      .enum(["cleared", "tracked"])
      .describe(
        '"cleared" (the trunk has no outbound authentication) or "tracked" (its credentials are set elsewhere)',
      ),
    "Whether the trunk has outbound authentication. Required. Risk: clearing it cannot be undone here, and calls that need it fail.",
  ),
  triggers: shown(
    fields.triggers,
    "Values of your choice: where outboundAuth is cleared, any change clears once more. Default: none.",
  ).optional(),
  onDelete: shown(
    fields.trunkOnDelete,
    'What happens when the entry is removed or the stack destroyed. Default: "retain", which sends nothing. Risk: "clear" ' +
      "removes the trunk's credentials.",
  ).optional(),
  reassertAfter,
  reassertUnattended,
});

const webhook = z.strictObject({
  id: shown(fields.id, "The webhook's id, as the platform shows it. Another id is another webhook."),
  triggers: shown(
    fields.triggers,
    "Values of your choice: any change rotates the signing secret. Default: none. Risk: the old secret may stop working at once.",
  ).optional(),
  rotateAfter: shown(
    fields.wholeDays,
    "Rotates the signing secret at the first update after each such time. Default: never. Risk: the old secret may stop " +
      "working at once.",
  ).optional(),
  rotateOnCreate: shown(
    fields.flag,
    "Whether the first update rotates the signing secret; false takes the webhook over as it is. Default: true.",
  ).optional(),
  secretPath: shown(
    fields.secretPath,
    "Where the new secret is in the server's answer. Default: the usual places.",
  ).optional(),
});

/** Names become parts of resource names, which the engine keeps in URNs. */
const named = <Entry extends z.ZodType>(entry: Entry, what: string) =>
  z
    .record(z.string().regex(/^[\w.-]+$/), entry)
    .describe(`a map from names (letters, digits, "-", "_", ".") to ${what}`);

/** A new name is a new resource. */
const rename = "Another name for an entry is another resource.";

export const organizationSchema = z
  .strictObject({
    retention: shown(
      z
        .strictObject({
          recordings: retention.optional(),
          conversations: retention.optional(),
          audit_events: retention.optional(),
        })
        .describe("a map from recordings, conversations or audit_events to a policy"),
      "How long each kind of data is kept. A kind that is left out is not managed.",
    ).optional(),
    networkPolicies: shown(
      named(networkPolicy, "network policies"),
      `The ranges that the organization admits. ${rename}`,
    ).optional(),
    trunks: shown(named(trunk, "trunks"), `The outbound authentication of SIP trunks. ${rename}`).optional(),
    webhooks: shown(
      named(webhook, "webhooks"),
      `The signing secrets of webhooks. ${rename} Risk: a renamed webhook is rotated.`,
    ).optional(),
  })
  .describe("a map with retention, networkPolicies, trunks and webhooks, each optional");

/** What an organization file says once it has been checked. */
export type OrganizationFile = z.infer<typeof organizationSchema>;

export function organizationJsonSchema(): object {
  const schema = z.toJSONSchema(organizationSchema, {
    io: "input",
    override: ({ jsonSchema }) => {
      const { hover, description } = jsonSchema as { hover?: string; description?: string };
      if (hover === undefined) return;
      delete jsonSchema.hover;
      jsonSchema.description = description === undefined ? hover : `${hover} Has to be ${description}.`;
    },
  });
  return { title: "voiceplane organization", ...schema };
}
