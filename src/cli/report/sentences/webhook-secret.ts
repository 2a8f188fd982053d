import { hiddenAs } from "../secrets.js";
import { code } from "../text.js";
import {
  because,
  dueReason,
  possessive,
  sentence,
  tense,
  toldByRequest,
  type Edit,
  type Facts,
  type Sentence,
  type Sentences,
} from "./sentence.js";
import { periodWords } from "./schedule.js";
import { triggerReasons } from "./triggers.js";

export const webhookSecretSentences: Sentences = {
  sent(_request, facts) {
    const { why, isGuess } = facts.verb === "create" ? creation(facts) : reasons(facts);
    const will = isGuess ? tense(facts, "may be", "may have been") : tense(facts, "will be", "was");
    const end = tense(facts, "today's secret stops working", "the secret before stopped working");
    const text = `${possessive(facts.name)} signing secret ${will} rotated${why}: ${end}`;
    return [sentence(isGuess ? `${text} if so` : text, "rotates a secret")];
  },

  nothingSent(facts) {
    const { verb, name } = facts;
    if (verb === "delete") return [forgotten(facts)];
    if (verb !== "create") return [];
    const adopted = `${name} ${tense(facts, "is", "was")} adopted: its signing secret ${tense(facts, "stays", "stayed")} as it is`;
    return isLostByAdopting(facts)
      ? [sentence(`${adopted}, and ${copyIsGone(facts)}`, "forgets a secret")]
      : [sentence(adopted)];
  },

  edits: {
    webhookId: toldByRequest,
    triggers: toldByRequest,
    rotateAfter: periodWords(
      "rotateOn",
      ({ name }) => `${possessive(name)} signing secret`,
      () => "rotated",
    ),
    rotateOnCreate,
    initialSecret,
    secretPath,
  },

  renameSaves: "the rotation, and keeps the secret",

  unreadable: ["rotates a secret"],
};

interface Reasons {
  readonly why: string;
  /** Whether nothing that can be seen says for sure that it rotates. */
  readonly isGuess: boolean;
}

function creation({ inputs }: Facts): Reasons {
  const hidden = hiddenAs(inputs.rotateOnCreate);
  const doubt = hidden && `whether it is to be is ${hidden}`;
  return { why: ` on creation${because(doubt)}`, isGuess: hidden !== undefined };
}

function reasons(facts: Facts): Reasons {
  const due = dueReason(facts);
  const lost = facts.lost ? "the answer to its last rotation was lost" : undefined;
  const triggers = triggerReasons(facts.before?.triggers, facts.inputs.triggers);
  return { why: because(due, triggers.changed, lost), isGuess: triggers.hidden && due === undefined && !facts.lost };
}

/** The interface shows a secret once: what the state holds is the only copy that this provider knows of. */
function forgotten(facts: Facts): Sentence {
  const { name, before } = facts;
  if (before?.secret === undefined) {
    const text = tense(
      facts,
      "is no longer managed and stays as last set",
      "was no longer managed and stayed as last set",
    );
    return sentence(`${possessive(name)} signing secret ${text}`, "leaves things behind");
  }
  const goesOn = tense(facts, "the webhook goes on using it", "the webhook went on using it");
  return sentence(
    `${possessive(name)} signing secret ${tense(facts, "is", "was")} no longer managed: ${copyIsGone(facts)}, while ${goesOn}`,
    "forgets a secret",
    "leaves things behind",
  );
}

function copyIsGone(facts: Facts): string {
  return `the only copy of it that is kept, in the state, ${tense(facts, "is thrown away", "was thrown away")}`;
}

/** Made anew without a rotation, a resource knows what `initialSecret` says, which is right only as long as it has never rotated. */
function isLostByAdopting({ before, inputs }: Facts): boolean {
  if (before?.secret === undefined) return false;
  return inputs.initialSecret === undefined || before.rotationState !== "adopted";
}

function rotateOnCreate({ fresh }: Edit, facts: Facts): Sentence[] {
  const hidden = hiddenAs(fresh);
  const anew = `if ${facts.name} is made anew, as by ${code("--replace")} or under another name`;
  if (hidden) return [sentence(`${anew}, whether its signing secret is rotated is ${hidden}`)];
  const stays = tense(facts, "stays as it is", "was to stay as it is");
  return [
    sentence(
      `${anew}, its signing secret ${fresh === false ? stays : tense(facts, "is rotated", "was to be rotated")}`,
    ),
  ];
}

function initialSecret({ fresh }: Edit, facts: Facts): Sentence[] {
  const { name, before } = facts;
  const isKnownByIt = before?.rotationState === "adopted";
  if (!isKnownByIt)
    return [sentence(`${name}: ${code("initialSecret")} changed, which says nothing any more after a rotation`)];
  const is = tense(facts, "is", "was");
  if (fresh !== undefined)
    return [sentence(`${name}: what ${code("initialSecret")} says ${is} its secret from now on`)];
  const text = `${name}: ${code("initialSecret")} ${is} no longer declared, and ${copyIsGone(facts)}`;
  return [sentence(text, "forgets a secret")];
}

function secretPath({ fresh }: Edit, facts: Facts): Sentence[] {
  const is = tense(facts, "is", "was");
  const subject = `${facts.name}: where the secret ${is} looked for in an answer ${is}`;
  const place = typeof fresh === "string" ? `${code(fresh)} from now on` : "no longer said";
  return [sentence(`${subject} ${hiddenAs(fresh) ?? place}`)];
}
