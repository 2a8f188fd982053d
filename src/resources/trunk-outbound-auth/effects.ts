/** What a change of a TrunkOutboundAuth does: whether it cuts the trunk off. */
import { effect, hiddenAs, inTense, isUnconfirmed, type Change, type Effect } from "../../lifecycle/effects/effect.js";
import {
  adoptedAs,
  because,
  dueReason,
  lostReason,
  triggerReason,
  unlessUnattended,
} from "../../lifecycle/effects/reasons.js";

export function trunkOutboundAuthEffects(change: Change): Effect[] {
  const { verb, sends, before, inputs } = change;
  if (!sends) {
    if (verb === "delete") return [effect("no longer managed, left as it is", "stops managing")];
    if (verb === "create" && inputs.cleared === true) return [adoptedAs("cleared", change, "cleared")];
    if (verb === "create") return [effect("tracked, with its outbound credentials left as they are")];
    if (before?.cleared !== true || inputs.cleared !== false) return [];
    return [effect("only tracked from now on: credentials that were cleared are not restored")];
  }
  const trigger = verb === "update" ? triggerReason(change) : { isGuess: false };
  const [due, lost] = [dueReason(change), lostReason(change)];
  const hidden = hiddenAs(inputs.cleared);
  const isGuess = trigger.isGuess && !due && !lost && before?.cleared === true;
  const again = verb !== "delete" && before?.cleared === true && !change.moved && !isUnconfirmed(before);
  const why = because(hidden && `whether it is cleared is ${hidden}`, due, trigger.why, lost);
  const text =
    `${hidden || isGuess ? inTense(change, "may clear", "may have cleared") : "clears"} its outbound credentials` +
    `${again ? " once more" : ""}${why}, which this provider cannot restore`;
  return [effect(text, ...(trigger.why ? (["cuts a trunk"] as const) : unlessUnattended(change, "cuts a trunk")))];
}
