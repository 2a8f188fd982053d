/** Words for the effects of several resources: why a request is sent again, and what becomes of what it does not set. */
import { isDeepStrictEqual } from "node:util";
import { sameValues } from "../object.js";
import { textOf, type Values } from "../../values/any.js";
import { isDue } from "../schedule.js";
import { effect, hiddenAs, isUnconfirmed, membersOf, type Change, type Effect, type Risk } from "./effect.js";

/** What the server of the next request has, as far as that is known. */
export const currentIn = ({ before, uncertain, moved }: Change): Values | undefined =>
  moved || uncertain || isUnconfirmed(before) ? undefined : before;

/** The known reasons in parentheses, such as " (due 2026-11-20)"; empty if there are none. */
export function because(...reasons: (string | undefined)[]): string {
  const known = reasons.filter((reason) => reason !== undefined);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

export const dueReason = ({ verb, before, inputs }: Change): string | undefined =>
  verb === "update" && before && isDue(before, inputs) ? `due ${textOf(inputs.__due)}` : undefined;

export const lostReason = ({ uncertain }: Change, last = "request"): string | undefined =>
  uncertain ? `its last ${last} may have been carried out` : undefined;

/** The risks of sending the same again: none where the declaration says that a due request needs no approval. */
export const unlessUnattended = (change: Change, ...risks: Risk[]): Risk[] =>
  change.unattended && dueReason(change) !== undefined && currentIn(change) !== undefined ? [] : risks;

/** What sending the same again does, in words. */
export const overwrites = "replaces whatever was set elsewhere";

/**
 * The effect on what is no longer declared, and stays as it is on the server.
 *
 * @param what a part of the object, with a space at its end; empty for the whole object
 * @param last the last value, in parentheses after a space; empty if it is not known
 */
export const leftAsSet = ({ before }: Change, what: string, last: string): Effect =>
  effect(`${what}no longer managed, left as ${isUnconfirmed(before) ? "it is" : `last set${last}`}`, "stops managing");

/**
 * The effect on a setting that is adopted.
 *
 * @param values as declared, such as "90 days"
 * @param properties what a request would set
 */
export function adoptedAs(
  values: string,
  { before, uncertain, inputs }: Change,
  ...properties: readonly string[]
): Effect {
  const text = `adopted as ${values} without a request; the server may have another value`;
  if (!before || (!uncertain && sameValues(before, inputs, properties))) return effect(text);
  return effect(`${text}; the state has other values, and the change is not sent`, "weakens a guard");
}

/** Which triggers changed, in words. `isGuess`: no visible one did, and a hidden one may have. */
export function triggerReason({ before = {}, inputs }: Change): { readonly why?: string; readonly isGuess: boolean } {
  const hidden = hiddenAs(inputs.triggers);
  if (sameValues(before, inputs, ["triggers"]) && hidden === undefined) return { isGuess: false };
  const [old, fresh] = [membersOf(before.triggers), membersOf(inputs.triggers)];
  const isHidden = (key: string) => hiddenAs(fresh[key]) !== undefined;
  const isChanged = (key: string) => !isHidden(key) && !isDeepStrictEqual(old[key], fresh[key]);
  const changed = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(isChanged);
  // If all triggers are one hidden value, their names are not known.
  if (hidden !== undefined && (changed.length === 0 || typeof inputs.triggers === "string"))
    return { why: `${triggersNamed(Object.keys(fresh).filter(isHidden))}: ${hidden}`, isGuess: true };
  const [removed, edited] = [changed.filter((key) => !(key in fresh)), changed.filter((key) => key in fresh)];
  const said = [
    ...(edited.length > 0 || removed.length === 0 ? [`${triggersNamed(edited)} changed`] : []),
    ...(removed.length > 0 ? [`${triggersNamed(removed)} removed`] : []),
  ];
  return { why: said.join(", "), isGuess: false };
}

/** At most four names: a sentence must stay short. */
const triggersNamed = (keys: readonly string[]): string =>
  [keys.length === 1 ? "trigger" : "triggers", keys.slice(0, 4).join(", ") + (keys.length > 4 ? ", …" : "")]
    .join(" ")
    .trimEnd();
