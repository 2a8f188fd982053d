/** What a change does to its object, in words: a provider warns with it, and a report sorts it by its risks. */
import { isDeepStrictEqual } from "node:util";
import { contains, containsUnknown, secretText } from "../../values/engine.js";
import { isUncertain, sameValues, type Values } from "../lifecycle.js";
import { isDue } from "../schedule.js";

/** Why a change needs a look before it is applied, the worst first. */
export const risks = [
  "sends the token elsewhere",
  "deletes data",
  "cuts a trunk",
  "rotates a secret",
  "forgets a secret",
  "narrows access",
  "widens access",
  "weakens a guard",
  "stops managing",
] as const;
export type Risk = (typeof risks)[number];

/** The text has no full stop, and the object's name comes before it. Parts in backticks are code. */
export interface Effect {
  readonly text: string;
  readonly risks: readonly Risk[];
}

export const effect = (text: string, ...risks: Risk[]): Effect => ({ text, risks });

export interface Change {
  readonly verb: "create" | "update" | "delete";
  /** Whether it sends a request. */
  readonly sends: boolean;
  /** The state of the object; undefined if none is known, so that anything may be replaced. */
  readonly before: Values | undefined;
  /** What is declared; of a delete, the state. */
  readonly inputs: Values;
  /** Whether the declaration says that due requests need no approval. */
  readonly unattended: boolean;
  /** Whether requests go to another address than the last ones, so that the server may be another one. */
  readonly moved: boolean;
}

/** Whether the known values were adopted, and no request has sent any: the server may have others. The provider itself writes `false` or nothing. */
export const isUnconfirmed = (state: Values = {}): boolean => state.confirmed !== undefined;

/** What the server of the next request has, as far as that is known. */
export const currentIn = ({ before, moved }: Change): Values | undefined =>
  before === undefined || moved || isUncertain(before) || isUnconfirmed(before) ? undefined : before;

/** Why a value cannot be seen, to follow "is"; undefined if it can. */
export function hiddenAs(value: unknown): "a secret value" | "not known yet" | undefined {
  if (contains(value, (part) => part === secretText)) return "a secret value";
  return containsUnknown(value) ? "not known yet" : undefined;
}

export const membersOf = (value: unknown): Values =>
  typeof value === "object" && value !== null ? (value as Values) : {};

export const daysText = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

/** "(due 2026-11-20)", or nothing. */
export function because(...reasons: (string | undefined)[]): string {
  const known = reasons.filter((reason) => reason !== undefined);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

export const dueReason = ({ verb, before, inputs }: Change): string | undefined =>
  verb === "update" && before && isDue(before, inputs) ? `due ${String(inputs.__due)}` : undefined;

export const lostReason = ({ before }: Change, last = "request"): string | undefined =>
  before && isUncertain(before) ? `its last ${last} may have been carried out` : undefined;

/** The risks of sending the same again. A declaration that needs no approval for it accepts them. */
export const unlessUnattended = (change: Change, ...risks: Risk[]): Risk[] =>
  change.unattended && dueReason(change) !== undefined && currentIn(change) !== undefined ? [] : risks;

/** What sending the same again does. */
export const overwrites = "replaces whatever was set elsewhere";

/**
 * @param what with a space at its end, or nothing for the whole object
 * @param last the last value, in parentheses, or nothing
 */
export const leftAsSet = ({ before }: Change, what: string, last: string): Effect =>
  effect(`${what}no longer managed, left as ${isUnconfirmed(before) ? "it is" : `last set${last}`}`, "stops managing");

/**
 * A setting that is taken over without a request.
 *
 * @param values as declared, such as "90 days"
 * @param properties what a request would set
 */
export function adoptedAs(values: string, { before, inputs }: Change, ...properties: readonly string[]): Effect {
  const text = `adopted as ${values} without a request, which is not confirmed`;
  if (!before || (!isUncertain(before) && sameValues(before, inputs, properties))) return effect(text);
  return effect(`${text}; the state has other values, and the change is not sent`, "weakens a guard");
}

/** Which triggers changed; `isGuess` if no visible one did, and a hidden one may have. */
export function triggerReason({ before = {}, inputs }: Change): { readonly why?: string; readonly isGuess: boolean } {
  const hidden = hiddenAs(inputs.triggers);
  if (sameValues(before, inputs, ["triggers"]) && hidden === undefined) return { isGuess: false };
  const [old, fresh] = [membersOf(before.triggers), membersOf(inputs.triggers)];
  const isHidden = (key: string) => hiddenAs(fresh[key]) !== undefined;
  const isChanged = (key: string) => !isHidden(key) && !isDeepStrictEqual(old[key], fresh[key]);
  const changed = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(isChanged);
  // If the triggers are one hidden value, its names are not known.
  if (hidden !== undefined && (changed.length === 0 || typeof inputs.triggers === "string"))
    return { why: `${triggersNamed(Object.keys(fresh).filter(isHidden))}: ${hidden}`, isGuess: true };
  return { why: `${triggersNamed(changed)} changed`, isGuess: false };
}

/** At most four names: a sentence must stay short. */
const triggersNamed = (keys: readonly string[]): string =>
  [keys.length === 1 ? "trigger" : "triggers", keys.slice(0, 4).join(", ") + (keys.length > 4 ? ", …" : "")]
    .join(" ")
    .trimEnd();
