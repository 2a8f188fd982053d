/** WebhookSecret: a webhook's signing secret, rotated when the program says so and never otherwise. */
import * as z from "zod";
import { outcomeOf } from "../client/errors.js";
import {
  identityOf,
  isUncertain,
  logStored,
  sameValues,
  warn,
  type Context,
  type Lifecycle,
  type OrganizationScoped,
  type Problem,
} from "./lifecycle.js";
import * as fields from "./fields.js";
import { documented, secretsOf, typeNamed, type ResourceDocs } from "./documentation.js";
import { problemsOf } from "./problems.js";
import { dueDates, isDue, type Due } from "./schedule.js";
import { isListed } from "./webhook-list.js";
import { refuseLoss, rememberDeclared, rememberOld, replacedBy, webhook } from "./webhook-replacement.js";
import { adopted, asksToRotate, mustRotate, rotate, withLearnedSecret, withoutRotation } from "./webhook-rotation.js";

export const webhookSecretArgs = z.strictObject({
  webhookId: documented(
    fields.id,
    "The webhook's id, as the platform shows it. Another id is another webhook, whose secret is rotated as well.",
  ),
  triggers: documented(
    fields.triggers,
    "Values of your choice: any change rotates the signing secret, in place; the preview shows the change. Default: none. Risk: " +
      "the old secret may stop working at once.",
  ).optional(),
  rotateAfter: documented(
    fields.wholeDays,
    "Rotates the signing secret at the first update after each such time since the last rotation; the preview shows the date as " +
      "`rotateOn`. Default: never. Risk: the old secret may stop working at once.",
  ).optional(),
  rotateOnCreate: documented(
    fields.flag,
    "Whether the first update rotates the signing secret; `false` takes the webhook over as it is. Default: `true`, because only " +
      "a rotation shows the secret. Required with an initial secret.",
  ).optional(),
  initialSecret: documented(
    fields.secretText,
    "A secret that is known already. With `rotateOnCreate: false` it is `secret` until the first rotation, with `true` it " +
      "becomes `previousSecret`. Removed later, it stays `secret`. Default: not known.",
    { secret: true },
  ).optional(),
  secretPath: documented(
    fields.secretPath,
    "Where the new secret is in the data of the server's answer. Default: the usual places, such as `signing_secret` or `secret`. " +
      "Set later, it takes the secret from an answer in which none was found, without rotating.",
  ).optional(),
});
type Args = z.infer<typeof webhookSecretArgs>;

const rotationState = typeNamed(
  z.enum(["rotated", "adopted", "unread", "uncertain"]),
  "RotationState",
  [
    "How much is known of the current secret:\n",
    "- `rotated`: `secret` is from the answer to the last rotation.",
    "- `adopted`: not rotated by this resource yet; `secret` is the `initialSecret`, if one was given.",
    "- `unread`: rotated, but no secret was found in the answer; the answer is in `data`.",
    "- `uncertain`: the answer to a rotation was lost; `secret` is the last known one and may no longer work. The next " +
      "update rotates once more.",
  ].join("\n"),
);

export const webhookSecretOutputs = z.object({
  webhookId: documented(fields.id, "The webhook's id."),
  secret: documented(
    z.string(),
    "The signing secret as it is known: `rotationState` says how well. Not set where it never was.",
    { secret: true },
  ).exactOptional(),
  previousSecret: documented(z.string(), "The last secret that was known before it; not set where there was none.", {
    secret: true,
  }).exactOptional(),
  rotatedAt: documented(
    z.string(),
    "When the last confirmed rotation was answered, ISO 8601 in UTC; not set before the first.",
  ).exactOptional(),
  rotationCount: documented(z.int(), "Rotations by this resource whose answer arrived."),
  rotationState: documented(rotationState, "How well `secret` is known."),
  // `{ text }` with its JSON where the engine would misread a part of it.
  data: documented(
    z.unknown(),
    "The answer in which no secret was found, to look up `secretPath` in; until the next rotation, else not set.",
    {
      secret: true,
    },
  ).optional(),
  account: fields.account,
});

export const webhookSecretDocs: ResourceDocs<Args> = {
  category: "Webhooks",
  summary:
    "A webhook's signing secret, rotated when the program says so and never otherwise. On many servers the old secret stops " +
    "working at once: give both `secret` and `previousSecret` to the receiver.",
  verbs: {
    create: "`POST /v1/webhooks/{webhook_id}/rotate-secret`; nothing with `rotateOnCreate: false`.",
    update:
      "the same POST for any change of `triggers`, a due `rotateAfter`, or after a rotation whose answer was lost; never for " +
      "anything else. If only a date is due, `GET /v1/webhooks/` comes first, once a run, for the server's time. A rotation is " +
      'never sent twice on a guess: a lost answer is recorded as the `RotationState` `"uncertain"`, and the next update rotates ' +
      "once more.",
    read: "`GET /v1/webhooks/`, once a run, for an import too; a webhook that is not in the list stays in the state, with a warning.",
    delete: "nothing; the webhook keeps its secret.",
  },
  errors:
    "403 where the token lacks the scope `webhooks:write`; 404 for a webhook that does not exist. After a 5xx, a timeout or a " +
    "broken connection the rotation is uncertain. Moving to another organization is refused at preview, because it would rotate.",
  example: {
    name: "crm",
    args: {
      webhookId: "c0000000-0000-4000-8000-000000000001",
      rotateAfter: "90d",
      triggers: { quarter: "2026-Q4" },
    },
    exports: { current: "secret", previous: "previousSecret" },
  },
};

export type WebhookSecretInputs = Args & OrganizationScoped & Due & { rotateOn?: string };
export type WebhookSecretState = OrganizationScoped &
  Due &
  Pick<Args, "triggers"> &
  z.infer<typeof webhookSecretOutputs>;

type Inputs = WebhookSecretInputs;
type State = WebhookSecretState;

export const webhookSecret: Lifecycle<Inputs, State> = {
  ...webhook,
  date: "rotateOn",
  secrets: [...secretsOf(webhookSecretArgs), ...secretsOf(webhookSecretOutputs)],
  answered: ["secret", "rotatedAt", "rotationState", "data"],

  check(ctx, olds, news) {
    const problems = problemsOf(webhookSecretArgs, news, webhook.type);
    const args = news as Args;
    // A rotation for another reason begins the period again.
    const restart = !sameValues(olds, args, ["triggers"]);
    const inputs: Inputs = {
      ...args,
      account: ctx.account,
      ...dueDates(ctx, webhook, "rotateOn", olds, args, restart),
    };
    // A rotation uses the changed inputs.
    if (!isDue(olds, inputs) && !restart) {
      logStored(ctx, webhook, olds, inputs, ["secretPath", "rotateAfter", "rotateOnCreate"]);
    }
    return { inputs, problems: [...problems, ...ambiguity(args), ...movedOrganization(olds, inputs)] };
  },

  diff(ctx, state, inputs) {
    const name = identityOf(webhook, state);
    rememberDeclared(ctx, state, inputs);
    if (isUncertain(state)) {
      // The engine asks in a preview and in the update alike.
      ctx.log.warn(
        `${name}: the answer to its last rotation was lost, so its secret is not known for sure: the update rotates it once more.`,
      );
    }
    const changes = asksToRotate(state, inputs) || withLearnedSecret(state, inputs) !== state;
    if (state.rotationState === "unread" && !changes) {
      ctx.log.warn(
        `${name}: its secret is not known, as none was found in the answer to its last rotation. ` +
          (state.data === undefined
            ? "Change triggers to rotate it again."
            : 'Set secretPath to its place in the secret output "data", or change triggers to rotate it again.'),
      );
    }
    return { changes };
  },

  async create(ctx, inputs) {
    const old = replacedBy(ctx, inputs);
    const isRequested = async () => old?.inputs !== undefined && (await mustRotate(ctx, old.state, old.inputs));
    const rotates = inputs.rotateOnCreate !== false || (await isRequested());
    return rememberDeclared(ctx, rotates ? await rotate(ctx, inputs, old?.state) : withoutRotation(inputs, old?.state));
  },

  async read(ctx, state) {
    const doubt = await whyNotListed(ctx, state.webhookId);
    if (doubt !== undefined) warn(ctx, webhook, state, doubt);
    return state;
  },

  async import(ctx, webhookId) {
    const inputs = { webhookId, rotateOnCreate: false };
    const { account } = ctx;
    if (await isListed(ctx, webhookId)) return { inputs, state: adopted({ ...inputs, account }) };
    throw new Error(
      `${identityOf(webhook, { webhookId, account })}: is not in the server's list of webhooks. Check the id. ` +
        "If the list is only a part, declare it with rotateOnCreate: false instead: that sends nothing.",
    );
  },

  async update(ctx, state, inputs) {
    const rotates = await mustRotate(ctx, state, inputs);
    return rememberDeclared(ctx, rotates ? await rotate(ctx, inputs, state) : withoutRotation(inputs, state));
  },

  remember: rememberOld,
  replaced: refuseLoss,

  async delete(ctx, state) {
    warn(ctx, webhook, state, "keeps its secret. Nothing was sent.");
    return Promise.resolve();
  },
};

/**
 * Why the webhook may be gone; undefined if it is in the list. It stays in the state all the same: a list may be empty or cut for many
 * reasons, the state may have the only copy of the secret, and a webhook that is declared again would be rotated.
 */
async function whyNotListed(ctx: Context, webhookId: string): Promise<string | undefined> {
  try {
    const isThere = await isListed(ctx, webhookId);
    if (isThere === undefined) return "no list was found in the server's answer, so the state is kept as it is.";
    if (isThere) return undefined;
    return (
      "is not in the server's list of webhooks. The state is kept, as it may have the only copy of the secret. " +
      "If the webhook is gone, remove it from the program, or from the state with `pulumi state delete URN`."
    );
  } catch (error) {
    if (!(error instanceof Error) || outcomeOf(error) !== "refused") throw error;
    return `the list of webhooks was refused (${error.message}), so the state is kept as it is.`;
  }
}

/** With an initialSecret, the user has to say whether creating keeps it or rotates it. */
function ambiguity({ rotateOnCreate, initialSecret }: Args): Problem[] {
  if (initialSecret === undefined || rotateOnCreate !== undefined) return [];
  const reason =
    "needs rotateOnCreate: false to keep using that secret, or true to rotate it now and keep it as previousSecret";
  return [{ property: "initialSecret", reason }];
}

/** A webhook of another organization is another one, and the replacement would rotate it. That is rarely intended, so it is refused. */
function movedOrganization(olds: Partial<Inputs>, inputs: Inputs): Problem[] {
  if (olds.account === undefined || olds.account === inputs.account || olds.webhookId !== inputs.webhookId) return [];
  const reason =
    `belongs to the organization ${olds.account}, and this provider talks to ${inputs.account}. If only the address ` +
    `moved, keep the name with \`pulumi config set voiceplane:account ${olds.account}\`. If another organization is ` +
    `meant, declare a new resource with a new name and remove this one`;
  return [{ property: "webhookId", reason }];
}
