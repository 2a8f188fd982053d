import { containsUnknown } from "../../../lifecycle.js";
import { because, dueReason, possessive, stored, tell, triggerReasons, type Facts, type Words } from "./facts.js";

export const webhookSecretWords: Words = {
  sent(_request, facts) {
    const { why, isGuess } = facts.verb === "create" ? creation(facts) : reasons(facts);
    const text = `${possessive(facts.name)} signing secret ${isGuess ? "may" : "will"} be rotated${why}: today's secret stops working`;
    return [tell(isGuess ? `${text} if so` : text, "rotates a secret")];
  },

  nothingSent(facts) {
    const { verb, name } = facts;
    if (verb === "delete")
      return [tell(`destroy leaves ${possessive(name)} signing secret as last set`, "leaves things behind")];
    if (verb === "create") return [tell(`${name} is adopted: its signing secret stays as it is`)];
    return [stored(facts)];
  },

  unreadable: ["rotates a secret"],
};

interface Reasons {
  readonly why: string;
  /** Whether nothing that can be seen says for sure that it rotates. */
  readonly isGuess: boolean;
}

function creation({ inputs }: Facts): Reasons {
  return { why: " on creation", isGuess: containsUnknown(inputs.rotateOnCreate) };
}

function reasons(facts: Facts): Reasons {
  const due = dueReason(facts);
  const lost = facts.lost ? "the answer to its last rotation was lost" : undefined;
  const triggers = triggerReasons(facts.before?.triggers, facts.inputs.triggers);
  return { why: because(due, triggers.changed, lost), isGuess: triggers.hidden && due === undefined && !facts.lost };
}
