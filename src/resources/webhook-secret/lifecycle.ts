/** WebhookSecret: a webhook's signing secret, rotated only when the program asks for it. */
import { RequestError } from "../../client/errors.js";
import type { Code } from "../../values/codes.js";
import { objectText, sameValues, keysHere } from "../../lifecycle/object.js";
import { containsUnknown } from "../../values/engine.js";
import { warnOfObject } from "../../lifecycle/messages.js";
import type { Context } from "../../lifecycle/context.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import { problemsOf } from "../../schema/problems.js";
import { warning, errorOf, problem, type Diagnostic } from "../../values/diagnostic.js";
import { guardsOf, isLonger, never } from "../../lifecycle/effects/guards.js";
import { dueDates, isDue } from "../../lifecycle/schedule.js";
import {
  webhook,
  webhookSecretArgs,
  type WebhookSecretArgs,
  type WebhookSecretInputs as Inputs,
  type WebhookSecretState as State,
} from "./arguments.js";
import { isListed } from "./list.js";
import { isUncertain, rotationIn, secretCopy } from "./readers.js";
import { refuseLoss, rememberDeclared, rememberOld, replacedBy } from "./replacement.js";
import {
  adopted,
  pathAdvice,
  asksToRotate,
  rotate,
  unsavedRotationProblems,
  webhookMembers,
  withLearnedSecret,
  withoutRotation,
} from "./rotation.js";

export const webhookSecretLifecycle: Lifecycle<Inputs, State> = {
  ...webhook,
  operation: "rotateWebhookSecret",
  isSetting: false,
  date: "rotateOn",
  ...webhookMembers,
  isUncertain,
  doubt:
    "it is unknown whether its last rotation was carried out, so its secret may no longer work. If no later update rotates it, change triggers, " +
    "or rotate it on the server.",
  resolution: (isSent) =>
    isSent
      ? "it is unknown whether its last rotation was carried out, so its secret is not known for sure: the update rotates it once more."
      : "it is unknown whether its last rotation was carried out: the update takes the initialSecret that you gave, and sends nothing.",
  answered: ["secret", "rotatedAt", "rotationState", "data"],

  check(ctx, olds, news) {
    const problems = problemsOf(webhookSecretArgs, news, webhook.type);
    const args = news as WebhookSecretArgs;
    // A rotation for another reason starts the period again.
    const restart = !sameValues(olds, args, ["triggers"]);
    const dates = dueDates(ctx, webhook, "rotateOn", olds, args, restart);
    const isKnown = args.initialSecret !== undefined && !containsUnknown(args.initialSecret);
    const isNew = isKnown && olds.webhookId !== undefined && !sameValues(olds, args, ["initialSecret"]);
    const { name, organization } = ctx;
    const inputs: Inputs = { ...args, organization, ...dates, ...(isNew && { __newSecret: true }) };
    if (name !== undefined)
      for (const key of keysHere(ctx, webhook, inputs)) ctx.run.note({ says: "called", key, name });
    if (!isDue(olds, inputs) && !restart) sayStored(ctx, olds, inputs);
    return {
      inputs,
      problems: [...problems, ...movedOrganization(ctx, olds, inputs), ...unsavedRotationProblems(ctx, olds, inputs)],
    };
  },

  diff(ctx, state, inputs) {
    const name = objectText(webhook, state);
    rememberDeclared(ctx, state, inputs);
    const changes = asksToRotate(state, inputs) || withLearnedSecret(state, inputs) !== state;
    if (state.rotationState === "unread" && !changes) {
      const setPath = 'Set secretPath to its path in the secret output "data", or change triggers to rotate it again.';
      const advice = state.data === undefined ? "Change triggers to rotate it again." : pathAdvice(state.data, setPath);
      const text = `${name}: its secret is not known, as none was found in the answer to its last rotation. ${advice}`;
      ctx.log.warn(warning("secret-unread", text));
    }
    return { changes };
  },

  sends: (inputs, state) => (state ? asksToRotate(state, inputs) : inputs.onCreate !== "adopt"),
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

  async create(ctx, inputs) {
    const old = replacedBy(ctx, inputs);
    // Without `__newSecret`, a doubt ends with a rotation. The report of a replacement announces one, because it cannot see `__newSecret`.
    const { __newSecret, ...seen } = old?.inputs ?? {};
    const isRequested = old?.inputs !== undefined && asksToRotate(old.state, seen as Inputs);
    return updated(ctx, inputs.onCreate !== "adopt" || isRequested, inputs, old?.state);
  },

  async read(ctx, state) {
    // Without a request, so that a state can become uncertain while the server is down.
    if (isUncertain(state)) return state;
    const doubt = await whyNotListed(ctx, state.webhookId);
    if (doubt !== undefined) warnOfObject(ctx, webhook, state, ...doubt);
    return state;
  },

  async import(ctx, webhookId) {
    const inputs = { webhookId, onCreate: "adopt" } as const;
    const { organization } = ctx;
    const listed = await isListed(ctx, webhookId);
    if (listed === true) return { inputs, state: adopted({ ...inputs, organization }) };
    const name = objectText(webhook, { webhookId, organization });
    throw errorOf(
      "cannot-import",
      typeof listed === "string"
        ? `${name}: cannot be imported, because ${listed}. Declare it with onCreate: "adopt" instead: that sends nothing.`
        : `${name}: is not in the server's list of webhooks. Check the id. ` +
            'If the list is only a part, declare it with onCreate: "adopt" instead: that sends nothing.',
    );
  },

  async update(ctx, state, inputs) {
    return updated(ctx, asksToRotate(state, inputs), inputs, state);
  },

  remember: rememberOld,
  replaced: refuseLoss,

  deletesNothing: (state) => !secretCopy.isIn(state),

  async delete(ctx, state) {
    const copy = state.rotationState === "adopted" ? "a copy" : "the only stored copy";
    const lost = `keeps using its secret, of which ${copy} leaves the state. Nothing was sent.`;
    if (secretCopy.isIn(state)) warnOfObject(ctx, webhook, state, "forgets-a-secret", lost);
    else warnOfObject(ctx, webhook, state, "object-left", "keeps its secret. Nothing was sent.");
    return Promise.resolve();
  },
};

async function updated(ctx: Context, rotates: boolean, inputs: Inputs, old?: State): Promise<State> {
  const state = rotates ? await rotate(ctx, inputs, old) : withoutRotation(inputs, old);
  if (state.rotationState === "unchanged" && state.requestId !== old?.requestId) {
    const text =
      "the answer to its rotation has the secret that was known before, so the server may not have rotated it. " +
      "Change triggers to rotate it again.";
    warnOfObject(ctx, webhook, inputs, "secret-unchanged", text);
  }
  rememberDeclared(ctx, state);
  return state;
}

/**
 * Why the webhook may be gone, or why that is not known; undefined if it is in the list. It stays in the state anyway: a list may be empty or
 * incomplete for many reasons, the state may have the only copy of the secret, and a webhook that is declared again would be rotated.
 */
async function whyNotListed(ctx: Context, webhookId: string): Promise<[Code, string] | undefined> {
  try {
    const listed = await isListed(ctx, webhookId);
    if (typeof listed === "string") return ["list-unreadable", `${listed}, so the state is kept as it is.`];
    if (listed) return undefined;
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

/** Says which options changed while nothing is rotated: they are stored, which no preview shows. */
function sayStored({ log }: Context, olds: Partial<Inputs>, inputs: Inputs): void {
  const options = ["secretPath", "rotateAfter", "onCreate"] as const;
  const changed = options.filter((option) => !sameValues(olds, inputs, [option]));
  if (Object.keys(olds).length === 0 || changed.length === 0) return;
  log.info(`${objectText(webhook, inputs)}: ${changed.join(", ")} changed; that is stored and sends nothing.`);
}

/** A move to another organization is a replacement, which would rotate. That is rarely intended, so it is refused. */
function movedOrganization({ isExplicit }: Context, olds: Partial<Inputs>, inputs: Inputs): Diagnostic[] {
  const { organization: owner, webhookId } = olds;
  if (owner === undefined || owner === inputs.organization || webhookId !== inputs.webhookId) return [];
  const keep =
    isExplicit === true
      ? `If the same organization is meant, name the Provider ${owner}, or use the provider as before`
      : `If only the address changed, keep the name with \`pulumi config set voiceplane:organization ${owner}\``;
  const text =
    `the webhook belongs to the organization ${owner}, and this provider talks to ${inputs.organization}. ${keep}. If another ` +
    `organization is meant, declare a new resource with a new name and remove this one`;
  // This names no property, because an entry of an organization calls `webhookId` by another name.
  return [problem("organization-changed", text)];
}
