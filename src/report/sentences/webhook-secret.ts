import { code, hiddenAs } from "../text.js";
import { because, dueReason, leftAsSet, possessive, sentence, tense, verbsIn } from "./sentence.js";
import type { Edit, Facts, Sentence, Sentences } from "./sentence.js";
import { periodSentences, triggerReasons } from "./shared-inputs.js";

const secretOf = ({ name }: Facts): string => `${possessive(name)} signing secret`;

export const webhookSecretSentences: Sentences = {
  sent(_request, facts) {
    const { why, isGuess } = facts.verb === "create" ? creation(facts) : reasons(facts);
    const will = isGuess ? tense(facts, "may be", "may have been") : tense(facts, "will be", "was");
    const end = tense(facts, "today's secret stops working", "the secret before stopped working");
    return [
      sentence(`${secretOf(facts)} ${will} rotated${why}: ${isGuess ? "if so, " : ""}${end}`, "rotates a secret"),
    ];
  },

  nothingSent(facts) {
    const { verb, name } = facts;
    if (verb === "delete") return [noLongerManaged(facts)];
    if (verb !== "create") return [];
    const { is, stays } = verbsIn(facts);
    const adopted = `${name} ${is} adopted: its signing secret ${stays} as it is`;
    if (!isLostByAdopting(facts)) return [sentence(adopted)];
    return [sentence(`${adopted}, and ${copyIsGone(facts)}`, "forgets a secret")];
  },

  edits: {
    webhookId: "request",
    triggers: "request",
    rotateAfter: periodSentences("rotateOn", secretOf, "rotated"),
    rotateOnCreate,
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
  const hidden = hiddenAs(inputs.rotateOnCreate);
  return { why: ` on creation${because(hidden && `whether it is to be is ${hidden}`)}`, isGuess: hidden !== undefined };
}

function reasons(facts: Facts): Reasons {
  const due = dueReason(facts);
  const lost = facts.lost ? "the answer to its last rotation was lost" : undefined;
  const triggers = triggerReasons(facts.before?.triggers, facts.inputs.triggers);
  return { why: because(due, triggers.changed, lost), isGuess: triggers.hidden && due === undefined && !facts.lost };
}

/** The API shows a secret once, so the state has the only copy that this provider knows of. */
function noLongerManaged(facts: Facts): Sentence {
  if (facts.before?.secret === undefined) return leftAsSet(facts, secretOf(facts), "");
  const usesIt = tense(facts, "the webhook goes on using it", "the webhook went on using it");
  const text = `${secretOf(facts)} ${verbsIn(facts).is} no longer managed: ${copyIsGone(facts)}, while ${usesIt}`;
  return sentence(text, "forgets a secret", "leaves things behind");
}

function copyIsGone(facts: Facts): string {
  return `its only known copy, in the state, ${verbsIn(facts).is} deleted`;
}

/** A resource created without a rotation takes its secret from `initialSecret`, which is outdated after a rotation. */
function isLostByAdopting({ before, inputs }: Facts): boolean {
  if (before?.secret === undefined) return false;
  return inputs.initialSecret === undefined || before.rotationState !== "adopted";
}

function rotateOnCreate({ fresh }: Edit, facts: Facts): Sentence[] {
  const hidden = hiddenAs(fresh);
  const anew = `if ${facts.name} is replaced, for example by ${code("--replace")}, or renamed`;
  if (hidden) return [sentence(`${anew}, whether its signing secret is rotated is ${hidden}`)];
  const stays = tense(facts, "stays as it is", "was to stay as it is");
  const isRotated = tense(facts, "is rotated", "was to be rotated");
  return [sentence(`${anew}, its signing secret ${fresh === false ? stays : isRotated}`)];
}

function initialSecret({ fresh }: Edit, facts: Facts): Sentence[] {
  const { name, before } = facts;
  const input = code("initialSecret");
  if (before?.rotationState !== "adopted") {
    return [sentence(`${name}: ${input} changed, which has no effect after a rotation`)];
  }
  const { is } = verbsIn(facts);
  if (fresh !== undefined) return [sentence(`${name}: its secret ${is} that of ${input} from now on`)];
  return [
    sentence(`${name}: ${input} ${is} no longer declared, and its secret ${verbsIn(facts).stays} as it is known`),
  ];
}

function secretPath({ fresh }: Edit, facts: Facts): Sentence[] {
  const { is } = verbsIn(facts);
  const hidden = hiddenAs(fresh);
  if (hidden) return [sentence(`${facts.name}: where the secret ${is} looked for in an answer is ${hidden}`)];
  const place = typeof fresh === "string" ? `at ${code(fresh)}` : "in the usual places";
  return [sentence(`${facts.name}: the secret ${is} looked for ${place} of an answer from now on`)];
}
