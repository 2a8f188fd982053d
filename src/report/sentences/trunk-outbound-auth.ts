import { hiddenAs } from "../text.js";
import {
  because,
  dueReason,
  lostReason,
  possessive,
  sentence,
  stored,
  tense,
  unlessUnattended,
  verbsIn,
  type Sentences,
} from "./sentence.js";
import { reassertSentences, triggerReasons } from "./shared-inputs.js";

export const trunkOutboundAuthSentences: Sentences = {
  sent(_request, facts) {
    const { verb, name, before, inputs } = facts;
    const triggers = verb === "update" ? triggerReasons(before?.triggers, inputs.triggers) : undefined;
    const [due, lost] = [dueReason(facts), lostReason(facts)];
    const isGuess = due === undefined && lost === undefined && triggers?.hidden === true;
    const hidden = hiddenAs(inputs.cleared);
    const isMaybe = hidden !== undefined || (isGuess && before?.cleared === true);
    const loses = isMaybe ? tense(facts, "may lose", "may have lost") : tense(facts, "loses", "lost");
    const again = before?.cleared === true && !facts.moved && verb !== "delete" ? " once more" : "";
    const why = because(hidden && `whether it is cleared is ${hidden}`, due, triggers?.changed, lost);
    const text = `${name} ${loses} its outbound credentials${again}${why}, which this provider cannot restore`;
    if (triggers?.changed !== undefined) return [sentence(text, "cuts a trunk")];
    return [sentence(text, ...unlessUnattended(facts, "cuts a trunk"))];
  },

  nothingSent(facts) {
    const { verb, name, before, inputs } = facts;
    const { is, stays, stay } = verbsIn(facts);
    if (verb === "delete") {
      return [sentence(`${name} ${is} no longer managed and ${stays} as it is`, "leaves things behind")];
    }
    if (verb === "create") return [sentence(`${name} ${is} tracked: its outbound credentials ${stay} as they are`)];
    if (before?.cleared !== true || inputs.cleared !== false) return [];
    return [sentence(`${name} ${is} only tracked from now on: credentials that were cleared do not come back`)];
  },

  edits: {
    trunkId: "request",
    cleared: "request",
    // A changed trigger of a cleared trunk sends the request.
    triggers: (_edit, facts) => (facts.inputs.cleared === false ? [stored(facts, ["triggers"])] : []),
    ...reassertSentences(({ name }) => `the outbound credentials of ${name}`, "cleared again"),
  },

  destroy(onDelete, facts) {
    const { name } = facts;
    const { will } = verbsIn(facts);
    if (onDelete !== "clear") return sentence(`destroy ${will} leave ${name} as it is`);
    const text = `destroy ${will} clear ${possessive(name)} outbound credentials, which this provider cannot restore`;
    return sentence(text, "weakens a guard");
  },

  renameSaves: (_before, isAvoided) => (isAvoided ? ["avoid clearing the trunk once more"] : []),

  unreadable: ["cuts a trunk"],
};
