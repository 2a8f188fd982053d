/**
 * WebhookSecret: a webhook's signing secret, rotated when the program says so and never otherwise.
 *
 *   create          POST /v1/webhooks/{webhook_id}/rotate-secret, nothing where rotateOnCreate is false
 *   update          the same POST for a change of triggers, a due rotateOn, or a rotation whose answer was lost; else nothing
 *   read            GET /v1/webhooks/: only a complete list without the webhook says that it is gone
 *   delete          nothing: a webhook keeps its secret
 */
import { z } from "zod";
import { outcomeOf } from "../api/errors.js";
import { listWebhooks, rotateWebhookSecret } from "../api/operations.js";
import {
  agree,
  identityOf,
  logStored,
  recordingUncertainty,
  type Context,
  type Lifecycle,
  type Owned,
  type Problem,
} from "../lifecycle.js";
import { problemsOf } from "../problems.js";
import { advance, isDue, type Due } from "../schedule.js";
import * as fields from "./fields.js";
import { findSecret } from "./find-secret.js";
import { readWebhookList } from "./webhook-list.js";

export const webhookSecretArgs = z.strictObject({
  webhookId: fields.id,
  triggers: fields.triggers.optional(),
  rotateAfter: fields.wholeDays.optional(),
  rotateOnCreate: fields.flag.optional(),
  initialSecret: fields.secretText.optional(),
  secretPath: fields.secretPath.optional(),
});
type Args = z.infer<typeof webhookSecretArgs>;

export type WebhookSecretInputs = Args & Owned & Due & { rotateOn?: string };

/**
 * How much is known of the current secret:
 * - `rotated`: `secret` is what the last rotation answered.
 * - `adopted`: not rotated by this resource yet; `secret` is the initialSecret, if one was given.
 * - `unread`: rotated, but no secret was found in the answer; the answer is in `data`.
 * - `uncertain`: the answer to a rotation was lost; `secret` is the last known one and may be dead.
 */
export type RotationState = "rotated" | "adopted" | "unread" | "uncertain";

export type WebhookSecretState = Owned &
  Due &
  Pick<Args, "webhookId" | "triggers"> & {
    secret?: string;
    previousSecret?: string;
    /** When the last confirmed rotation was answered, ISO 8601 in UTC. */
    rotatedAt?: string;
    /** Confirmed rotations by this resource. */
    rotationCount: number;
    rotationState: RotationState;
    /** The answer in which no secret was found. */
    data?: unknown;
  };

export const webhookSecret: Lifecycle<WebhookSecretInputs, WebhookSecretState> = {
  type: "WebhookSecret",
  identity: "webhookId",
  secrets: ["secret", "previousSecret", "data"],

  check(ctx, olds, news) {
    const problems = problemsOf(webhookSecretArgs, news, "WebhookSecret");
    const args = news as Args;
    const inputs: WebhookSecretInputs = { ...args, account: ctx.account, ...rotationSchedule(ctx, olds, args) };
    if (!isDue(olds, inputs))
      logStored(ctx, webhookSecret, olds, inputs, ["secretPath", "rotateAfter", "rotateOnCreate"]);
    return { inputs, problems: [...problems, ...ambiguity(args), ...movedAccount(olds, inputs)] };
  },

  diff(ctx, state, inputs) {
    if (state.rotationState === "uncertain") {
      ctx.log.warn(
        `${identityOf(webhookSecret, state)}: the answer to its last rotation was lost, so its secret is not known ` +
          `for sure. The next up rotates it once more.`,
      );
    }
    return {
      changes: mustRotate(state, inputs) || rereads(state, inputs) !== undefined || readopts(state, inputs),
    };
  },

  async create(ctx, inputs) {
    return inputs.rotateOnCreate === false ? adopted(inputs) : rotate(ctx, inputs, undefined);
  },

  async read(ctx, state) {
    const keep = (because: string): WebhookSecretState => {
      ctx.log.warn(`${identityOf(webhookSecret, state)}: ${because}, so the state is kept as it is.`);
      return state;
    };
    try {
      const list = readWebhookList(await listWebhooks(ctx.api));
      if (!list) return keep("no list was found in the server's answer");
      // Servers that take an id in any case list it in one; called gone by mistake, it would be made anew and rotated.
      const id = state.webhookId.toLowerCase();
      if (list.webhooks.some((webhook) => webhook.id.toLowerCase() === id)) return state;
      return list.complete ? undefined : keep("the server's list may be only a part and the webhook is not in it");
    } catch (error) {
      if (!(error instanceof Error) || outcomeOf(error) !== "refused") throw error;
      return keep(`the list of webhooks was refused (${error.message})`);
    }
  },

  async update(ctx, state, inputs) {
    if (mustRotate(state, inputs)) return rotate(ctx, inputs, state);
    const secret = rereads(state, inputs);
    if (secret !== undefined) {
      const { data, ...rest } = state;
      return { ...rest, secret, rotationState: "rotated" };
    }
    if (!readopts(state, inputs)) return state;
    const { secret: replaced, ...rest } = state;
    return { ...rest, ...(inputs.initialSecret !== undefined && { secret: inputs.initialSecret }) };
  },

  async delete() {
    return Promise.resolve();
  },
};

async function rotate(
  ctx: Context,
  inputs: WebhookSecretInputs,
  old: WebhookSecretState | undefined,
): Promise<WebhookSecretState> {
  const known = old ?? adopted(inputs);
  const kept: WebhookSecretState = { ...known, rotationState: "uncertain" };
  const data = await recordingUncertainty(() => rotateWebhookSecret(ctx.api, inputs.webhookId), kept);
  const previousSecret = known.secret ?? known.previousSecret;
  const state = {
    ...identity(inputs),
    ...(previousSecret !== undefined && { previousSecret }),
    rotatedAt: ctx.now().toISOString(),
    rotationCount: known.rotationCount + 1,
  };
  const secret = findSecret(data, inputs.secretPath);
  if (secret !== undefined) return { ...state, secret, rotationState: "rotated" };
  ctx.log.warn(
    `${identityOf(webhookSecret, inputs)}: rotated, but no secret was found in the answer` +
      (data === undefined || data === null
        ? ", which holds nothing. Look for it where the server shows it."
        : '. It is kept in the secret output "data": set secretPath to the place of the secret in it; that rotates nothing.'),
  );
  return { ...state, rotationState: "unread", ...(data !== undefined && data !== null && { data }) };
}

function identity({ account, webhookId, triggers, __due }: WebhookSecretInputs) {
  return { account, webhookId, ...(triggers && { triggers }), ...(__due && { __due }) };
}

function adopted(inputs: WebhookSecretInputs): WebhookSecretState {
  const { initialSecret } = inputs;
  return {
    ...identity(inputs),
    ...(initialSecret !== undefined && { secret: initialSecret }),
    rotationCount: 0,
    rotationState: "adopted",
  };
}

function mustRotate(state: WebhookSecretState, inputs: WebhookSecretInputs): boolean {
  return state.rotationState === "uncertain" || !agree(state, inputs, ["triggers"]) || isDue(state, inputs);
}

/** The secret that a new secretPath finds in an answer that was kept. */
function rereads(state: WebhookSecretState, inputs: WebhookSecretInputs): string | undefined {
  return state.rotationState === "unread" ? findSecret(state.data, inputs.secretPath) : undefined;
}

/** Until the first rotation, `secret` is whatever initialSecret says. */
function readopts(state: WebhookSecretState, inputs: WebhookSecretInputs): boolean {
  return state.rotationState === "adopted" && state.secret !== inputs.initialSecret;
}

function rotationSchedule(ctx: Context, olds: Partial<WebhookSecretInputs>, args: Args) {
  // A rotation for another reason begins the period anew.
  const restart = olds.webhookId !== undefined && !agree(olds, args, ["triggers"]);
  const old = { after: olds.rotateAfter, on: olds.rotateOn, due: olds.__due };
  const { on, due } = advance(old, args.rotateAfter, ctx.now(), restart);
  return { ...(on && { rotateOn: on }), ...(due && { __due: due }) };
}

/** With initialSecret at hand, whether creating keeps that secret or kills it is for the user to say. */
function ambiguity({ rotateOnCreate, initialSecret }: Args): Problem[] {
  if (initialSecret === undefined || rotateOnCreate !== undefined) return [];
  const reason =
    "goes with rotateOnCreate: false keeps that secret in use, true rotates at once and keeps it as previousSecret";
  return [{ property: "initialSecret", reason }];
}

/** Another account would be another webhook, and replacing would rotate: refused, because it is hardly ever meant. */
function movedAccount(olds: Partial<WebhookSecretInputs>, inputs: WebhookSecretInputs): Problem[] {
  if (olds.account === undefined || olds.account === inputs.account || olds.webhookId !== inputs.webhookId) return [];
  const reason =
    `belongs to the organization ${olds.account}, and this provider talks to ${inputs.account}. If only the address ` +
    `moved, keep the name with \`pulumi config set voiceplane:account ${olds.account}\`. If another organization is ` +
    `meant, declare a new resource with a new name and remove this one`;
  return [{ property: "webhookId", reason }];
}
