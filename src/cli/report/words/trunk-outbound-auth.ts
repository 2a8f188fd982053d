import { containsUnknown } from "../../../lifecycle.js";
import { because, dueReason, lostReason, stored, tell, triggerReasons, type Words } from "./facts.js";

export const trunkOutboundAuthWords: Words = {
  sent(_request, facts) {
    const { verb, name, before, inputs } = facts;
    const triggers = verb === "update" ? triggerReasons(before?.triggers, inputs.triggers) : undefined;
    const due = dueReason(facts);
    const lost = lostReason(facts);
    const isGuess = [due, lost].every((reason) => reason === undefined) && (triggers?.hidden ?? false);
    const may = containsUnknown(inputs.cleared) || (isGuess && before?.cleared === true) ? "may lose" : "loses";
    const again = before?.cleared === true ? " once more" : "";
    const why = because(due, triggers?.changed, lost);
    return [tell(`${name} ${may} its outbound credentials${again}${why}`, "cuts a trunk")];
  },

  nothingSent(facts) {
    const { verb, name, before, inputs } = facts;
    if (verb === "delete") return [tell(`destroy leaves ${name} as it is`, "leaves things behind")];
    if (verb === "create") return [tell(`${name} is tracked: its outbound credentials stay as they are`)];
    if (before?.cleared === true && inputs.cleared === false) {
      return [tell(`${name} is only tracked from now on: nothing is sent, and credentials do not come back`)];
    }
    return [stored(facts)];
  },

  unreadable: ["cuts a trunk"],
};
