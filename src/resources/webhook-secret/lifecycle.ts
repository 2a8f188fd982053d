/** WebhookSecret: a webhook's signing secret, rotated only when the program asks for it. */
import { RequestError } from "../../client/errors.js";
import { warnOfObject, type Context } from "../../lifecycle/context.js";
import { guardsOf, isLonger, never } from "../../lifecycle/effects/guards.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import { sameValues } from "../../lifecycle/object.js";
import { dueDates } from "../../lifecycle/schedule.js";
import { secretProperties } from "../../schema/documentation.js";
import { problemsOf } from "../../schema/problems.js";
import type { Code } from "../../values/codes.js";
import {
  webhook,
  webhookSecretArgs,
  webhookSecretOutputs,
  type WebhookSecretArgs,
  type WebhookSecretInputs as Inputs,
  type WebhookSecretState as State,
} from "./arguments.js";
import { hasWebhook, webhooksOf } from "./list.js";
import { isUncertain, rotationIn, secretCopy } from "./readers.js";
import { adopted, asksToRotate, rotate, setPath, withLearnedSecret, withoutRotation } from "./rotation.js";

export const webhookSecretLifecycle: Lifecycle<Inputs, State> = {
  ...webhook,
  operation: "rotateWebhookSecret",
  isSetting: false,
  date: "rotateOn",
  mark: { rotationState: "uncertain" },
  secrets: [...secretProperties(webhookSecretArgs), ...secretProperties(webhookSecretOutputs)],
  isUncertain,
  doubt: "it is unknown whether its last rotation was carried out, so its secret may no longer work.",
  answered: ["secret", "rotatedAt", "rotationState", "data"],
  does: "rotates its signing secret",
  bodyProperties: [],
  valuesOnDelete: () => ({}),
  requestRisks: () => ["rotates a secret"],
  sentProperties: ["triggers"],
  guards: guardsOf({ rotateAfter: isLonger, initialSecret: never, secretPath: never }),
  secretCopy,
  rotation: rotationIn,
  isUnread: ({ rotationState }) => rotationState === "unread",
  sent: (_values, rotation) => (rotation?.count ? `rotation ${rotation.count}` : "-"),

  check(ctx, olds, news) {
    const args = news as WebhookSecretArgs;
    // A rotation for another reason starts the period again.
    const dates = dueDates(ctx, "rotateOn", olds, args, !sameValues(olds, args, ["triggers"]));
    return {
      inputs: { ...args, organization: ctx.organization, ...dates },
      problems: problemsOf(webhookSecretArgs, news, webhook.type),
    };
  },

  sends: (inputs, state) => (state ? asksToRotate(state, inputs, new Date()) : inputs.onCreate !== "adopt"),

  diff(ctx, state, inputs) {
    const changes = asksToRotate(state, inputs, ctx.now()) || withLearnedSecret(state, inputs) !== state;
    if (state.rotationState === "unread" && !changes) {
      const text = `its secret is not known, as none was found in the answer to its last rotation: ${setPath}, or change triggers.`;
      warnOfObject(ctx, webhook, state, "secret-unread", text);
    }
    return { changes };
  },

  async create(ctx, inputs) {
    return inputs.onCreate === "adopt" ? adopted(inputs) : rotate(ctx, inputs);
  },

  async read(ctx, state) {
    // Without a request, so that a state can become uncertain while the server is down.
    const missing = isUncertain(state) ? undefined : await whyNotListed(ctx, state.webhookId);
    if (missing !== undefined) warnOfObject(ctx, webhook, state, ...missing);
    return state;
  },

  async update(ctx, state, inputs) {
    return asksToRotate(state, inputs, ctx.now()) ? rotate(ctx, inputs, state) : withoutRotation(state, inputs);
  },

  async delete(ctx, state) {
    const copy = state.rotationState === "adopted" ? "a copy" : "the only stored copy";
    const lost = `keeps using its secret, of which ${copy} leaves the state. Nothing was sent.`;
    if (secretCopy.isIn(state)) warnOfObject(ctx, webhook, state, "forgets-a-secret", lost);
    else warnOfObject(ctx, webhook, state, "object-left", "keeps its secret. Nothing was sent.");
    return Promise.resolve();
  },
};

/**
 * Why the webhook may be gone, or why that is not known; undefined if it is in the list. It stays in the state anyway: a list may be incomplete, the
 * state may have the only copy of the secret, and a webhook that is declared again would be rotated.
 */
async function whyNotListed(ctx: Context, webhookId: string): Promise<[Code, string] | undefined> {
  try {
    const webhooks = await webhooksOf(ctx);
    if (!webhooks)
      return ["list-unreadable", "no list was found in the server's answer, so the state is kept as it is."];
    if (hasWebhook(webhooks, webhookId)) return undefined;
    const text =
      "is not in the server's list of webhooks. The state is kept, as it may have the only copy of the secret. " +
      "If the webhook is gone, remove it from the program, or from the state with `pulumi state delete URN`.";
    return ["webhook-unlisted", text];
  } catch (error) {
    if (!(error instanceof RequestError) || error.status === undefined || error.status >= 500) throw error;
    const { code, text } = error.diagnostic;
    return [code, `the list of webhooks was refused (${text}), so the state is kept as it is.`];
  }
}
