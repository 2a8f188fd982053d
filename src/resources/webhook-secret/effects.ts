/** What a change of a WebhookSecret does: whether its secret is rotated or forgotten. */
import { effect, hiddenAs, type Effect } from "../../lifecycle/effects/effect.js";
import { because, effectsFrom, type Facts } from "../../lifecycle/effects/frame.js";
import type { Values } from "../../values/any.js";
import { secretCopy } from "./readers.js";

/** The API shows a secret once, so the state has the only copy that this provider knows of. */
const onlyCopy = "its only known copy, in the state";

export const webhookSecretEffects = effectsFrom({
  request: "rotation",
  adopted({ before, inputs }) {
    const text = "adopted, with its signing secret left as it is";
    // Without a rotation, the secret is that of `initialSecret`, which is outdated after one.
    const hasNewest = inputs.initialSecret !== undefined && before?.rotationState === "adopted";
    if (!hasCopy(before) || hasNewest) return effect(text);
    return effect(`${text}; the update is refused if that loses ${onlyCopy}`, "forgets a secret");
  },
  stored: ({ uncertain }) =>
    uncertain ? effect("takes the secret that you gave, without a request: it is no longer uncertain") : [],
  left({ before }) {
    const text = "signing secret no longer managed";
    if (!hasCopy(before)) return effect(`${text}, left as it is`, "stops managing");
    const deletes = `deletes ${onlyCopy}, while the webhook keeps using it`;
    return effect(`${text}; ${deletes}`, "forgets a secret", "stops managing");
  },
  sent: rotates,
});

function rotates({ verb, inputs, trigger, due, lost, may }: Facts): Effect {
  const isCreate = verb === "create";
  const hidden = isCreate ? hiddenAs(inputs.onCreate) : undefined;
  const isGuess = hidden !== undefined || (trigger.isGuess && !due && !lost);
  const [action, end] = isGuess
    ? [may("rotate", "rotated"), "if so, the old secret stops"]
    : ["rotates", "the old secret stops"];
  const when = isCreate ? " on creation" : "";
  const why = because(hidden && `\`onCreate\` is ${hidden}`, due, trigger.why, isCreate ? undefined : lost);
  return effect(`${action} its signing secret${when}${why}: ${end} working`, "rotates a secret");
}

const hasCopy = (state: Values | undefined): boolean => state !== undefined && secretCopy.isIn(state);
