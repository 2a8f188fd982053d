/** WebhookSecret: a webhook's signing secret, rotated only when the program asks for it. */
import * as z from "zod";
import { outcomeOf } from "../client/errors.js";
import {
  identityOf,
  isUncertain,
  sameValues,
  warn,
  type Context,
  type Lifecycle,
  type OrganizationScoped,
  type Problem,
} from "./lifecycle.js";
import * as fields from "./fields.js";
import { documented, secretProperties, typeNamed } from "./documentation.js";
import { problemsOf } from "./problems.js";
import { dueDates, isDue, type Due } from "./schedule.js";
import { isListed } from "./webhook-list.js";
import { refuseLoss, rememberDeclared, rememberOld, replacedBy, webhook } from "./webhook-replacement.js";
import {
  adopted,
  adviceOn,
  asksToRotate,
  mustRotate,
  rotate,
  unsavedRotationProblems,
  withLearnedSecret,
  withoutRotation,
} from "./webhook-rotation.js";

export const webhookSecretArgs = z.strictObject({
  webhookId: documented(
    fields.id,
    "The id of an existing webhook, as the platform shows it. A change replaces the resource, and the new webhook is treated as `onCreate` says.",
  ),
  onCreate: documented(
    z.enum(["rotate", "adopt"]).describe('"rotate" or "adopt"'),
    'What the first update does. `"rotate"`: it rotates the secret, the only way to learn it, and the old one may stop working at once. ' +
      '`"adopt"`: nothing, and the secret in use stays. It has no default, so that a missing argument cannot end a secret in use.',
  ),
  triggers: documented(
    fields.triggers,
    "Values of your choice. Any change rotates the secret, and the old one may stop working at once. Default: none.",
  ).optional(),
  rotateAfter: documented(
    fields.wholeDays,
    "Rotates the secret at the first update after this time since the last rotation, and the old one may stop working at once. " +
      "The preview shows the date as `rotateOn`. Default: never.",
  ).optional(),
  initialSecret: documented(
    fields.signingSecret,
    'The current secret, if you know it. With `onCreate: "adopt"` it is the output `secret` until the first rotation, with ' +
      '`"rotate"` it becomes `previousSecret`. If you remove it later, `secret` keeps it. Default: not known.',
    { secret: true },
  ).optional(),
  secretPath: documented(
    fields.secretPath,
    "Where the secret is in the data of the server's answer. Default: the usual places, such as `signing_secret` or `secret`. " +
      "If no secret was found in an answer, set it: the next update reads the secret from there, without rotating.",
  ).optional(),
});
type Args = z.infer<typeof webhookSecretArgs>;

const rotationState = typeNamed(
  z.enum(["rotated", "adopted", "unread", "uncertain"]),
  "RotationState",
  [
    "Whether `secret` is the current secret:\n",
    "- `rotated`: `secret` is from the answer to the last rotation.",
    "- `adopted`: this resource has not rotated yet. `secret` is the `initialSecret`, if there is one.",
    "- `unread`: rotated, but no secret was found in the answer, which is in `data`.",
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
  rotationId: documented(
    z.string(),
    "The id of the last rotation, a UUID that the request log has too. While `rotationState` is `uncertain`, of the one whose " +
      "answer was lost. Not set before the first rotation.",
  ).exactOptional(),
  // `{ text }` with the JSON, if the engine would misread a part of it.
  data: documented(
    z.unknown(),
    "The answer of a rotation in which no secret was found, until the next rotation. Look up `secretPath` in it.",
    {
      secret: true,
    },
  ).optional(),
  account: fields.account,
});

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
  secrets: [...secretProperties(webhookSecretArgs), ...secretProperties(webhookSecretOutputs)],
  answered: ["secret", "rotatedAt", "rotationState", "rotationId", "data"],

  check(ctx, olds, news) {
    const problems = problemsOf(webhookSecretArgs, news, webhook.type);
    const args = news as Args;
    // A rotation for another reason starts the period again.
    const restart = !sameValues(olds, args, ["triggers"]);
    const inputs: Inputs = {
      ...args,
      account: ctx.organization,
      ...dueDates(ctx, webhook, "rotateOn", olds, args, restart),
    };
    if (!isDue(olds, inputs) && !restart) logStored(ctx, olds, inputs);
    return {
      inputs,
      problems: [...problems, ...movedOrganization(olds, inputs), ...unsavedRotationProblems(ctx, olds, inputs)],
    };
  },

  diff(ctx, state, inputs) {
    const name = identityOf(webhook, state);
    rememberDeclared(ctx, state, inputs);
    if (isUncertain(state)) {
      ctx.log.warn(
        `${name}: it is unknown whether its last rotation was carried out, so its secret is not known for sure: the update rotates it once more.`,
      );
    }
    const changes = asksToRotate(state, inputs) || withLearnedSecret(state, inputs) !== state;
    if (state.rotationState === "unread" && !changes) {
      const setPath = 'Set secretPath to its path in the secret output "data", or change triggers to rotate it again.';
      ctx.log.warn(
        `${name}: its secret is not known, as none was found in the answer to its last rotation. ` +
          (state.data === undefined ? "Change triggers to rotate it again." : adviceOn(state.data, setPath)),
      );
    }
    return { changes };
  },

  risk(inputs, state) {
    // diff warns of a lost answer.
    const rotates = state ? !isUncertain(state) && asksToRotate(state, inputs) : inputs.onCreate !== "adopt";
    return rotates ? "rotates its signing secret: the old one stops working" : undefined;
  },

  async create(ctx, inputs) {
    const old = replacedBy(ctx, inputs);
    const isRequested = async () => old?.inputs !== undefined && (await mustRotate(ctx, old.state, old.inputs));
    const rotates = inputs.onCreate !== "adopt" || (await isRequested());
    return updated(ctx, rotates, inputs, old?.state);
  },

  async read(ctx, state) {
    const doubt = await whyNotListed(ctx, state.webhookId);
    if (doubt !== undefined) warn(ctx, webhook, state, doubt);
    return state;
  },

  async import(ctx, webhookId) {
    const inputs = { webhookId, onCreate: "adopt" } as const;
    const account = ctx.organization;
    if (await isListed(ctx, webhookId)) return { inputs, state: adopted({ ...inputs, account }) };
    throw new Error(
      `${identityOf(webhook, { webhookId, account })}: is not in the server's list of webhooks. Check the id. ` +
        'If the list is only a part, declare it with onCreate: "adopt" instead: that sends nothing.',
    );
  },

  imported: (written) => ({ ...adopted({ ...written, onCreate: "adopt" }), ...written }),

  async update(ctx, state, inputs) {
    return updated(ctx, await mustRotate(ctx, state, inputs), inputs, state);
  },

  remember: rememberOld,
  replaced: refuseLoss,

  async delete(ctx, state) {
    warn(ctx, webhook, state, "keeps its secret. Nothing was sent.");
    return Promise.resolve();
  },
};

async function updated(ctx: Context, rotates: boolean, inputs: Inputs, old?: State): Promise<State> {
  const state = rotates ? await rotate(ctx, inputs, old) : withoutRotation(inputs, old);
  rememberDeclared(ctx, state);
  return state;
}

/**
 * Why the webhook may be gone; undefined if it is in the list. It stays in the state anyway: a list may be empty or incomplete for many
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

/** Logs which options changed without a rotation, which would use them: previews do not show that they are stored. */
function logStored(ctx: Context, olds: Partial<Inputs>, inputs: Inputs): void {
  const options = ["secretPath", "rotateAfter", "onCreate"] as const;
  const changed = options.filter((option) => !sameValues(olds, inputs, [option]));
  if (Object.keys(olds).length === 0 || changed.length === 0) return;
  ctx.log.info(`${identityOf(webhook, inputs)}: ${changed.join(", ")} changed; that is stored and sends nothing.`);
}

/** A move to another organization is a replacement, which would rotate. That is rarely intended, so it is refused. */
function movedOrganization(olds: Partial<Inputs>, inputs: Inputs): Problem[] {
  if (olds.account === undefined || olds.account === inputs.account || olds.webhookId !== inputs.webhookId) return [];
  const reason =
    `belongs to the organization ${olds.account}, and this provider talks to ${inputs.account}. If only the address ` +
    `changed, keep the name with \`pulumi config set voiceplane:account ${olds.account}\`. If another organization is ` +
    `meant, declare a new resource with a new name and remove this one`;
  return [{ property: "webhookId", reason }];
}
