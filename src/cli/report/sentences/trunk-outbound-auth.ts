import { hiddenAs } from "../secrets.js";
import {
  because,
  dueReason,
  lostReason,
  possessive,
  stored,
  sentence,
  tense,
  toldByRequest,
  unlessUnattended,
  type Facts,
  type Sentence,
  type Sentences,
} from "./sentence.js";
import { periodWords, unattendedWords } from "./schedule.js";
import { triggerReasons } from "./triggers.js";

export const trunkOutboundAuthSentences: Sentences = {
  sent(_request, facts) {
    const { verb, name, before, inputs } = facts;
    const triggers = verb === "update" ? triggerReasons(before?.triggers, inputs.triggers) : undefined;
    const due = dueReason(facts);
    const lost = lostReason(facts);
    const isGuess = [due, lost].every((reason) => reason === undefined) && (triggers?.hidden ?? false);
    const hidden = hiddenAs(inputs.cleared);
    const isMaybe = hidden !== undefined || (isGuess && before?.cleared === true);
    const loses = isMaybe ? tense(facts, "may lose", "may have lost") : tense(facts, "loses", "lost");
    const again = before?.cleared === true && verb !== "delete" ? " once more" : "";
    const why = because(hidden && `whether it is cleared is ${hidden}`, due, triggers?.changed, lost);
    const text = `${name} ${loses} its outbound credentials${again}${why}, which this provider cannot restore`;
    return [
      sentence(
        text,
        ...(triggers?.changed === undefined ? unlessUnattended(facts, "cuts a trunk") : ["cuts a trunk" as const]),
      ),
    ];
  },

  nothingSent(facts) {
    const { verb, name, before, inputs } = facts;
    const [is, stay] = [tense(facts, "is", "was"), tense(facts, "stay", "stayed")];
    if (verb === "delete")
      return [
        sentence(
          `${name} ${is} no longer managed and ${tense(facts, "stays", "stayed")} as it is`,
          "leaves things behind",
        ),
      ];
    if (verb === "create") return [sentence(`${name} ${is} tracked: its outbound credentials ${stay} as they are`)];
    if (before?.cleared === true && inputs.cleared === false) {
      return [sentence(`${name} ${is} only tracked from now on: credentials that were cleared do not come back`)];
    }
    return [];
  },

  edits: {
    trunkId: toldByRequest,
    cleared: toldByRequest,
    triggers: trackedTriggers,
    reassertAfter: periodWords(
      "reassertOn",
      ({ name }) => `the outbound credentials of ${name}`,
      () => "cleared again",
    ),
    reassertUnattended: unattendedWords,
  },

  destroy(onDelete, facts) {
    const { name } = facts;
    const will = tense(facts, "will", "is to");
    const hidden = hiddenAs(onDelete);
    if (hidden) return sentence(`what destroy ${will} do to ${name} is ${hidden}`, "weakens a guard");
    if (onDelete !== "clear") return sentence(`destroy ${will} leave ${name} as it is`);
    const text = `destroy ${will} clear ${possessive(name)} outbound credentials, which this provider cannot restore`;
    return sentence(text, "weakens a guard");
  },

  renameSaves: "the request, which clears the trunk once more where it is declared as cleared",

  unreadable: ["cuts a trunk"],
};

/** Of a trunk that is cleared, a changed trigger sends the request. */
function trackedTriggers(_edit: unknown, facts: Facts): Sentence[] {
  return facts.inputs.cleared === false ? [stored(facts, ["triggers"])] : [];
}
