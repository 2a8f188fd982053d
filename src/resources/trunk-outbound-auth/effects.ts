/** What a change of a TrunkOutboundAuth does: whether it cuts the trunk off. */
import { effect, hiddenAs, isUnconfirmed, type Effect } from "../../lifecycle/effects/effect.js";
import { adoptedAs, because, effectsFrom, type Facts } from "../../lifecycle/effects/frame.js";

export const trunkOutboundAuthEffects = effectsFrom({
  adopted(change) {
    if (change.inputs.cleared === true) return adoptedAs("cleared", change, "cleared");
    return effect("tracked, with its outbound credentials left as they are");
  },
  left: () => effect("no longer managed, left as it is", "stops managing"),
  stored({ before, inputs }) {
    if (before?.cleared !== true || inputs.cleared !== false) return [];
    return effect("only tracked from now on: credentials that were cleared are not restored");
  },
  sent: clears,
});

function clears(change: Facts): Effect {
  const { verb, before, inputs, moved, trigger, due, lost, may, unlessUnattended } = change;
  const hidden = hiddenAs(inputs.cleared);
  const wasCleared = before?.cleared === true;
  const isGuess = hidden !== undefined || (trigger.isGuess && !due && !lost && wasCleared);
  const again = verb !== "delete" && wasCleared && !moved && !isUnconfirmed(before) ? " once more" : "";
  const why = because(hidden && `whether it is cleared is ${hidden}`, due, trigger.why, lost);
  const text = `${isGuess ? may("clear", "cleared") : "clears"} its outbound credentials${again}${why}, which this provider cannot restore`;
  return trigger.why === undefined ? effect(text, ...unlessUnattended("cuts a trunk")) : effect(text, "cuts a trunk");
}
