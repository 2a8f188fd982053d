/** What a change of a WebhookSecret does: whether its secret is rotated or forgotten. */
import { effect, hiddenAs, inTense, type Change, type Effect } from "../../lifecycle/effects/effect.js";
import { because, dueReason, lostReason, triggerReason } from "../../lifecycle/effects/reasons.js";
import { secretCopy } from "./arguments.js";

/** The API shows a secret once, so the state has the only copy that this provider knows of. */
const deletesCopy = "deletes its only known copy, in the state";

export function webhookSecretEffects(change: Change): Effect[] {
  const { verb, sends, before, inputs } = change;
  if (sends) {
    const hidden = verb === "create" ? hiddenAs(inputs.onCreate) : undefined;
    const trigger = verb === "create" ? { isGuess: false } : triggerReason(change);
    const [due, lost] = [dueReason(change), verb === "create" ? undefined : lostReason(change, "rotation")];
    const [rotates, end] =
      hidden || (trigger.isGuess && !due && !lost)
        ? [inTense(change, "may rotate", "may have rotated"), "if so, the old secret stops"]
        : ["rotates", "the old secret stops"];
    const why = because(hidden && `\`onCreate\` is ${hidden}`, due, trigger.why, lost);
    const when = verb === "create" ? " on creation" : "";
    return [effect(`${rotates} its signing secret${when}${why}: ${end} working`, "rotates a secret")];
  }
  if (verb === "update") return [];
  const hasSecret = before !== undefined && secretCopy.isIn(before);
  if (verb === "create") {
    const adopted = "adopted, with its signing secret left as it is";
    // Without a rotation, the secret is that of `initialSecret`, which is outdated after one.
    const hasNewest = inputs.initialSecret !== undefined && before?.rotationState === "adopted";
    if (!hasSecret || hasNewest) return [effect(adopted)];
    return [
      effect(`${adopted}; the update is refused if that loses its only known copy, in the state`, "forgets a secret"),
    ];
  }
  if (!hasSecret) return [effect("signing secret no longer managed, left as it is", "stops managing")];
  const text = `signing secret no longer managed; ${deletesCopy}, while the webhook keeps using it`;
  return [effect(text, "forgets a secret", "stops managing")];
}
