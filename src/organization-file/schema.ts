/** The schema of the organization file, and its JSON Schema for editors. */
import * as z from "zod";
import * as fields from "../schema/fields.js";
import { docsOf, documented, textOf, typeNamed } from "../schema/documentation.js";
import { networkPolicyArgs } from "../resources/network-policy/lifecycle.js";
import { retentionPolicyArgs } from "../resources/retention-policy/lifecycle.js";
import { trunkOutboundAuthArgs } from "../resources/trunk-outbound-auth/lifecycle.js";
import { webhookSecretArgs } from "../resources/webhook-secret/arguments.js";

/** The first line of a message about the file, above a line for each problem. `voiceplane preview` recognizes it. */
export const organizationFileHeading = "the organization file is not valid, and nothing was sent:";

// Entries have the arguments of the classes, with `id` for an object's id and `days` for `retentionDays`.
const {
  resource,
  retentionDays,
  onCreate: retentionOnCreate,
  enabled,
  onDelete,
  ...retentionShape
} = retentionPolicyArgs.shape;
const { networkPolicyId, onCreate: networkOnCreate, ...networkPolicyShape } = networkPolicyArgs.shape;
const { trunkId, cleared, ...trunkShape } = trunkOutboundAuthArgs.shape;
const { webhookId, initialSecret, onCreate: webhookOnCreate, ...webhookRest } = webhookSecretArgs.shape;

const orOfOrganization = <Choice extends z.ZodType>(onCreate: Choice) =>
  documented(onCreate, `${docsOf(onCreate).doc ?? ""} Required, unless the organization has \`onCreate\`.`).optional();
const webhookShape = { onCreate: orOfOrganization(webhookOnCreate), ...webhookRest };
const secretName = documented(
  z
    .string()
    .regex(/^([\w-]+:)?[\w.-]+$/)
    .describe("the name of a secret of the stack's configuration, and not the secret"),
  "The name of the secret of the stack's configuration that has the current secret, if you know it: `pulumi config set --secret NAME`. " +
    "It is the output `secret` until the first rotation. Default: not known.",
).optional();

const retention = typeNamed(
  z.strictObject({
    days: retentionDays,
    onCreate: orOfOrganization(retentionOnCreate),
    enabled,
    onDelete: documented(fields.organizationRetentionOnDelete, docsOf(onDelete).doc ?? "").optional(),
    ...retentionShape,
  }),
  "OrganizationRetention",
  "A `RetentionPolicy` without its kind, which is the key, and with `days` for `retentionDays`.",
);

/**
 * Names become part of resource names, which are in URNs. Letters of every script. Composed, because the same word in
 * another spelling, which looks the same, would be another resource.
 */
const entryName = z
  .string()
  .refine((name) => /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) && name === name.normalize("NFC"))
  // Editors read patterns without the flag for \p.
  .meta({ pattern: String.raw`^(?:[\w.-]|[^\x00-\x7f])+$` });

const formerly = documented(
  z.union([entryName, z.array(entryName)]).describe("a name of an entry, or a list of such names"),
  "The former names of the entry. A renamed entry that says them keeps its row of the state: nothing is sent, and no secret is lost. They " +
    "may stay. Default: none.",
  { plain: true },
).optional();

const networkPolicy = typeNamed(
  z.strictObject({
    id: networkPolicyId,
    onCreate: orOfOrganization(networkOnCreate),
    ...networkPolicyShape,
    formerly,
  }),
  "OrganizationNetworkPolicy",
  "A `NetworkPolicy`, with `id` for `networkPolicyId`.",
);

const trunk = typeNamed(
  z.strictObject({
    id: trunkId,
    outboundAuth: documented(
      z
        .enum(["cleared", "tracked"])
        .describe('"cleared" (removes its credentials for good) or "tracked" (its credentials are set elsewhere)'),
      "Whether the trunk has outbound authentication. Cleared credentials cannot be restored, and calls that need them fail.",
    ),
    ...trunkShape,
    formerly,
  }),
  "OrganizationTrunk",
  "A `TrunkOutboundAuth`, with `id` for `trunkId` and `outboundAuth` for `cleared`.",
);

const webhookEntry = <Shape extends z.ZodRawShape>(shape: Shape) =>
  typeNamed(
    z.strictObject({ id: webhookId, ...shape, formerly }),
    "OrganizationWebhook",
    "A `WebhookSecret`, with `id` for `webhookId`.",
  );

const named = <Entry extends z.ZodType>(entry: Entry, what: string) =>
  z
    .record(entryName, entry)
    .describe(`a map from names (letters, digits, "-", "_", ".") to ${what}`)
    .meta({ title: what });

const rename = "A renamed entry is another resource, unless it says `formerly`.";

export const organizationSchema = z
  .strictObject({
    onCreate: documented(
      fields.settingOnCreate,
      'What the first update does with entries that do not say it. `"adopt"`: it sends nothing, and rotates nothing. You know what the ' +
        'server has, and the declared values become the state. `"overwrite"`: it sends the settings. Each webhook says itself what it does. ' +
        "Default: each entry says it.",
    ).optional(),
    retention: documented(
      z
        .strictObject({
          recordings: retention.optional(),
          conversations: retention.optional(),
          audit_events: retention.optional(),
        })
        .describe("a map from recordings, conversations or audit_events to a policy")
        .meta({ title: "retention policies" }),
      "How long each kind of data is kept. A kind that is left out is not managed.",
    ).optional(),
    networkPolicies: documented(
      named(networkPolicy, "network policies"),
      `The ranges that the organization admits. ${rename}`,
    ).optional(),
    trunks: documented(named(trunk, "trunks"), `The outbound authentication of SIP trunks. ${rename}`).optional(),
    webhooks: documented(
      named(webhookEntry({ ...webhookShape, initialSecret: secretName }), "webhooks"),
      `The signing secrets of webhooks. ${rename} Without that, a renamed webhook is treated as its \`onCreate\` says.`,
    ).optional(),
  })
  .describe("a map with onCreate, retention, networkPolicies, trunks and webhooks, each optional");

export type OrganizationFile = z.infer<typeof organizationSchema>;

export function organizationJsonSchema(): object {
  const schema = z.toJSONSchema(organizationSchema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const text = textOf(zodSchema as unknown as z.ZodType);
      if (text !== "") jsonSchema.description = text;
      const typeName = (zodSchema as unknown as z.ZodType).meta()?.id;
      // "shortening step" for ShorteningStep, and "trunk" for OrganizationTrunk.
      if (typeName !== undefined && jsonSchema.type === "object") jsonSchema.title = wordsOf(typeName);
      delete jsonSchema.docs;
    },
  });
  return { title: "voiceplane organization", ...schema };
}

const wordsOf = (typeName: string): string =>
  typeName
    .replace(/^Organization(?=.)/, "")
    .replace(/(?<=.)[A-Z]/g, " $&")
    .toLowerCase();

/** The arguments of the component `Organization`: those of the file, where `initialSecret` is the secret itself. */
export function organizationArgs() {
  const { webhooks, ...sections } = organizationSchema.shape;
  const entries = documented(
    named(webhookEntry({ ...webhookShape, initialSecret }), "webhooks"),
    docsOf(webhooks).doc ?? "",
  );
  return typeNamed(
    z.strictObject({ ...sections, webhooks: entries.optional() }),
    "OrganizationArgs",
    "One organization's settings. Keys are names of your choice, except those of `retention`. A key is part of a resource's name, so " +
      "a new key is a rename. Settings that are left out are not managed.",
  );
}
