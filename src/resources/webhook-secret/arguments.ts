/** The properties of a WebhookSecret, and its name. */
import * as z from "zod";
import { documented, typeNamed } from "../../schema/documentation.js";
import * as fields from "../../schema/fields.js";
import type { OrganizationScoped } from "../../lifecycle/object.js";
import type { Due } from "../../lifecycle/schedule.js";

export const webhook = { type: "WebhookSecret", identity: "webhookId" } as const;

/** Printable ASCII without white space. What a program says is believed. */
export const isPrintable = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

export const webhookSecretArgs = z.strictObject({
  webhookId: documented(
    fields.id,
    "The id of an existing webhook, as the platform shows it. A change replaces the resource.",
  ),
  onCreate: documented(
    z.enum(["rotate", "adopt"]).describe('"rotate" or "adopt"'),
    'What the first update does. `"rotate"`: it rotates the secret, and the old one may stop working at once. `"adopt"`: nothing. No default, ' +
      "so that a missing argument cannot end a secret in use.",
  ),
  triggers: documented(
    fields.triggers,
    "Values of your choice. Any change rotates the secret. Default: none.",
  ).optional(),
  rotateAfter: documented(
    fields.wholeDays,
    "Rotates the secret once per period, at the first update on or after the due date, which the preview shows as `rotateOn`. Default: never.",
  ).optional(),
  initialSecret: documented(
    z.string().refine(isPrintable).describe("a signing secret: ASCII characters without white space"),
    'The current secret, if you know it. With `onCreate: "adopt"` it is the output `secret` until the first rotation, with ' +
      '`"rotate"` it becomes `previousSecret`. Default: not known.',
    { secret: true },
  ).optional(),
  secretPath: documented(
    z
      .string()
      .regex(/^[^.\s]+(\.[^.\s]+)*$/)
      .describe('a dotted path, such as "webhook.signing_key"'),
    "Where the secret is in `data`. Default: `signing_secret`, `secret`, or `data` itself. If none was found, set it: the next update reads " +
      "the secret from there, without rotating.",
  ).optional(),
});
export type WebhookSecretArgs = z.infer<typeof webhookSecretArgs>;

const rotationState = typeNamed(
  z.enum(["rotated", "adopted", "unread", "uncertain"]),
  "RotationState",
  [
    "Whether `secret` is the current secret:\n",
    "- `rotated`: `secret` is from the answer to the last rotation.",
    "- `adopted`: this resource has not rotated yet. `secret` is the `initialSecret`, if there is one.",
    "- `unread`: rotated, but no secret was found in the answer. The answer is in `data`.",
    "- `uncertain`: a rotation may have been carried out. `secret` is the last known one and may no longer work. The next " +
      "update rotates again.",
  ].join("\n"),
);

export const webhookSecretOutputs = z.object({
  webhookId: documented(fields.id, "The webhook's id."),
  secret: documented(z.string(), "The last known secret, see `rotationState`. Not set if none is known.", {
    secret: true,
  }).exactOptional(),
  previousSecret: documented(z.string(), "The last known secret before it. Not set if there was none.", {
    secret: true,
  }).exactOptional(),
  rotatedAt: documented(
    z.string(),
    "The time of the last answered rotation, ISO 8601 in UTC. Not set before the first.",
  ).exactOptional(),
  rotationCount: documented(z.int(), "The number of rotations by this resource whose answer arrived."),
  rotationState: documented(
    rotationState,
    "Whether `secret` is the current secret: `rotated`, `adopted`, `unread` or `uncertain`.",
  ),
  data: documented(z.unknown(), "The server's answer to the last rotation. Not set before the first one.", {
    secret: true,
  }).optional(),
  ...fields.outputs,
});

export type WebhookSecretInputs = WebhookSecretArgs & OrganizationScoped & Due & { rotateOn?: string };
export type WebhookSecretState = OrganizationScoped &
  Due &
  Pick<WebhookSecretArgs, "triggers"> &
  z.infer<typeof webhookSecretOutputs>;
