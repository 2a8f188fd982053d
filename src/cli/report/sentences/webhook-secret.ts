import { code, hiddenAs } from "../text.js";
import { because, dueReason, leftAsSet, sentence } from "./sentence.js";
import type { Edit, Facts, Sentence, Sentences } from "./sentence.js";
import { periodSentences, triggerReasons } from "./shared-inputs.js";

export const webhookSecretSentences: Sentences = {
  sent(_request, facts) {
    const { why, isGuess } = facts.verb === "create" ? creation(facts) : reasons(facts);
    const [rotates, end] = isGuess
      ? ["may rotate", "if so, the old secret stops"]
      : ["rotates", "the old secret stops"];
    return [sentence(`${rotates} its signing secret${why}: ${end} working`, "rotates a secret")];
  },

  nothingSent(facts) {
    const { verb } = facts;
    if (verb === "delete") return [noLongerManaged(facts)];
    if (verb !== "create") return [];
    if (!isLostByAdopting(facts)) return [sentence("adopted, with its signing secret left as it is")];
    return [sentence(`adopted, with its signing secret left as it is; ${deletesCopy}`, "forgets a secret")];
  },

  edits: {
    webhookId: "request",
    triggers: "request",
    rotateAfter: periodSentences("rotateOn", "rotated"),
    onCreate,
    initialSecret,
    secretPath,
  },

  renameSaves: ({ secret }, isAvoided) => [
    ...(isAvoided ? ["avoid the rotation"] : []),
    ...(secret === undefined ? [] : ["keep the secret in the state"]),
  ],

  unreadable: ["rotates a secret"],
};

interface Reasons {
  readonly why: string;
  /** Whether no visible value says for certain that the secret is rotated. */
  readonly isGuess: boolean;
}

function creation({ inputs }: Facts): Reasons {
  const hidden = hiddenAs(inputs.onCreate);
  return { why: ` on creation${because(hidden && `\`onCreate\` is ${hidden}`)}`, isGuess: hidden !== undefined };
}

function reasons(facts: Facts): Reasons {
  const due = dueReason(facts);
  const lost = facts.lost ? "its last rotation may have been carried out" : undefined;
  const triggers = triggerReasons(facts.before?.triggers, facts.inputs.triggers);
  return { why: because(due, triggers.changed, lost), isGuess: triggers.hidden && due === undefined && !facts.lost };
}

/** The API shows a secret once, so the state has the only copy that this provider knows of. */
const deletesCopy = "deletes its only known copy, in the state";

function noLongerManaged(facts: Facts): Sentence {
  if (facts.before?.secret === undefined) return leftAsSet(facts, "signing secret ", "");
  const text = `signing secret no longer managed; ${deletesCopy}, while the webhook keeps using it`;
  return sentence(text, "forgets a secret", "leaves things behind");
}

/** A resource created without a rotation takes its secret from `initialSecret`, which is outdated after a rotation. */
function isLostByAdopting({ before, inputs }: Facts): boolean {
  if (before?.secret === undefined) return false;
  return inputs.initialSecret === undefined || before.rotationState !== "adopted";
}

function onCreate({ fresh }: Edit): Sentence[] {
  const anew = "if it is replaced, for example by `--replace`, or renamed";
  const hidden = hiddenAs(fresh);
  if (hidden) return [sentence(`${anew}, whether its signing secret is rotated is ${hidden}`)];
  return [sentence(`${anew}, its signing secret ${fresh === "adopt" ? "stays as it is" : "is rotated"}`)];
}

function initialSecret({ fresh }: Edit, { before }: Facts): Sentence[] {
  if (before?.rotationState !== "adopted") {
    return [sentence("`initialSecret` changed, which has no effect after a rotation")];
  }
  if (fresh !== undefined) return [sentence("takes its secret from `initialSecret`")];
  return [sentence("`initialSecret` no longer declared: its secret stays as it is known")];
}

function secretPath({ fresh }: Edit): Sentence[] {
  const hidden = hiddenAs(fresh);
  if (hidden) return [sentence(`where it looks for the secret in an answer is ${hidden}`)];
  const place = typeof fresh === "string" ? `at ${code(fresh)}` : "in the usual places";
  return [sentence(`looks for the secret ${place} of an answer from now on`)];
}
