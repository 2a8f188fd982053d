import { hiddenAs } from "../text.js";
import {
  adoptedAs,
  because,
  dueReason,
  isUnconfirmed,
  lostReason,
  sentence,
  stored,
  unlessUnattended,
  type Sentences,
} from "./sentence.js";
import { sendingSentences, triggerReasons } from "./shared-inputs.js";

export const trunkOutboundAuthSentences: Sentences = {
  sent(_request, facts) {
    const { verb, before, inputs } = facts;
    const triggers = verb === "update" ? triggerReasons(before?.triggers, inputs.triggers) : undefined;
    const [due, lost] = [dueReason(facts), lostReason(facts)];
    const isGuess = due === undefined && lost === undefined && triggers?.hidden === true;
    const hidden = hiddenAs(inputs.cleared);
    const clears = hidden !== undefined || (isGuess && before?.cleared === true) ? "may clear" : "clears";
    const again =
      before?.cleared === true && !facts.moved && !isUnconfirmed(facts) && verb !== "delete" ? " once more" : "";
    const why = because(hidden && `whether it is cleared is ${hidden}`, due, triggers?.changed, lost);
    const text = `${clears} its outbound credentials${again}${why}, which this provider cannot restore`;
    if (triggers?.changed !== undefined) return [sentence(text, "cuts a trunk")];
    return [sentence(text, ...unlessUnattended(facts, "cuts a trunk"))];
  },

  nothingSent(facts) {
    const { verb, before, inputs } = facts;
    if (verb === "delete") return [sentence("no longer managed, left as it is", "leaves things behind")];
    if (verb === "create" && inputs.cleared === true) return [adoptedAs("cleared", facts, "cleared")];
    if (verb === "create") return [sentence("tracked, with its outbound credentials left as they are")];
    if (before?.cleared !== true || inputs.cleared !== false) return [];
    return [sentence("only tracked from now on: credentials that were cleared are not restored")];
  },

  edits: {
    trunkId: "request",
    cleared: "request",
    // A changed trigger of a cleared trunk sends the request.
    triggers: (_edit, { inputs }) => (inputs.cleared === false ? [stored(["triggers"])] : []),
    ...sendingSentences("cleared again"),
  },

  destroy(onDelete) {
    if (onDelete !== "clear") return sentence("destroy will leave it as it is");
    const text = "destroy will clear its outbound credentials, which this provider cannot restore";
    return sentence(text, "weakens a guard");
  },

  renameSaves: (_before, isAvoided) => (isAvoided ? ["avoid clearing the trunk once more"] : []),

  unreadable: ["cuts a trunk"],
};
