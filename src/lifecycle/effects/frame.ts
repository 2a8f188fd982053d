/** The frame of the effects of every resource: it asks for the sentence that a change needs, and knows why a request is sent again. */
import { isDeepStrictEqual } from "node:util";
import { sameValues } from "../object.js";
import { compact, textOf, type Values } from "../../values/any.js";
import { isDue } from "../schedule.js";
import { effect, hiddenAs, isUnconfirmed, membersOf, type ObjectChange, type Effect, type Risk } from "./effect.js";

/** What every resource says of a change in the same way. */
export interface Facts extends ObjectChange {
  /** What the server of the next request has, as far as that is known. */
  readonly current: Values | undefined;
  /** Why a request is sent although no value changed: a date is due, the last answer was lost, or triggers changed. */
  readonly due: string | undefined;
  readonly lost: string | undefined;
  readonly trigger: Trigger;
  /** Why it is due or lost, as {@link because} says it. */
  readonly why: string;
  /** "may delete" while a change is planned, "may have deleted" once its request was sent: what the server did with it is not known. */
  readonly may: (infinitive: string, participle: string) => string;
  /** The risks of sending the same again: none where the declaration says that a due request needs no approval. */
  readonly unlessUnattended: (...risks: Risk[]) => Risk[];
}

type Sentence = (facts: Facts) => Effect | readonly Effect[];

/** The sentences of a resource. */
interface Sentences {
  /** What a request does. */
  readonly sent: Sentence;
  /** What a create does that sends nothing. */
  readonly adopted: Sentence;
  /** What an update does that sends nothing. Default: nothing. */
  readonly stored?: Sentence;
  /** What a delete does that sends nothing. */
  readonly left: Sentence;
  /** What a request for the object is. Default: "request". */
  readonly request?: string;
}

/** The effects of a resource, which writes only its sentences and their risks. */
export function effectsFrom({ sent, adopted, stored, left, request = "request" }: Sentences) {
  const unsent = { create: adopted, update: stored, delete: left };
  return (change: ObjectChange): Effect[] => {
    const { verb, sends, before, inputs, uncertain, moved, unattended, applied } = change;
    const isUpdate = verb === "update";
    const current = moved || uncertain || isUnconfirmed(before) ? undefined : before;
    const due = isUpdate && before && isDue(before, inputs) ? `due ${textOf(inputs.__due)}` : undefined;
    const lost = uncertain ? `its last ${request} may have been carried out` : undefined;
    const trigger = isUpdate ? triggerOf(change) : { isGuess: false };
    const why = because(due, lost);
    const may = (infinitive: string, participle: string) => `may ${applied ? `have ${participle}` : infinitive}`;
    const unlessUnattended = (...risks: Risk[]) => (unattended && due !== undefined && current ? [] : risks);
    const say = sends ? sent : unsent[verb];
    const said = say?.({ ...change, current, due, lost, trigger, why, may, unlessUnattended }) ?? [];
    return [said].flat();
  };
}

/** The known reasons in parentheses, such as " (due 2026-11-20)"; empty if there are none. */
export function because(...reasons: (string | undefined)[]): string {
  const known = reasons.filter((reason) => reason !== undefined);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

/** What sending the same again does, in words. */
export const overwrites = "replaces whatever was set elsewhere";

/**
 * The effect on what is no longer declared, and stays as it is on the server.
 *
 * @param what a part of the object, with a space at its end; empty for the whole object
 * @param last the last value, if it is known
 */
export function leftAsSet({ before }: ObjectChange, what: string, last: string | undefined): Effect {
  const set = last === undefined ? "last set" : `last set (${last})`;
  return effect(`${what}no longer managed, left as ${isUnconfirmed(before) ? "it is" : set}`, "stops managing");
}

/** Which of these properties an update declares no longer. */
export const undeclared = <Property extends string>(
  { verb, before = {}, inputs }: ObjectChange,
  properties: readonly Property[],
): Property[] =>
  verb === "update"
    ? properties.filter((property) => before[property] !== undefined && inputs[property] === undefined)
    : [];

/**
 * The effect on a setting that is adopted.
 *
 * @param values as declared, such as "90 days"; undefined if they are not known
 * @param properties what a request would set
 */
export function adoptedAs(
  values = "values that cannot be seen here",
  { before, uncertain, inputs }: ObjectChange,
  ...properties: readonly string[]
): Effect {
  const text = `adopted as ${values} without a request; the server may have another value`;
  if (!before || (!uncertain && sameValues(before, inputs, properties))) return effect(text);
  return effect(`${text}; the state has other values, and the change is not sent`, "weakens a guard");
}

interface Trigger {
  /** Which triggers changed, in words. */
  readonly why?: string;
  /** Whether no visible trigger changed, and a hidden one may have. */
  readonly isGuess: boolean;
}

function triggerOf({ before = {}, inputs }: ObjectChange): Trigger {
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
  const said = compact(
    (edited.length > 0 || removed.length === 0) && `${triggersNamed(edited)} changed`,
    removed.length > 0 && `${triggersNamed(removed)} removed`,
  );
  return { why: said.join(", "), isGuess: false };
}

/** At most four names: a sentence must stay short. */
function triggersNamed(keys: readonly string[]): string {
  const names = keys.slice(0, 4).join(", ") + (keys.length > 4 ? ", …" : "");
  return `${keys.length === 1 ? "trigger" : "triggers"} ${names}`.trimEnd();
}
