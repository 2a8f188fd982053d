/** What the sentences about a change are made from. */
import { isDeepStrictEqual } from "node:util";
import { sameValues, type Values } from "../../../resources/lifecycle.js";
import { isUnconfirmed as isStateUnconfirmed } from "../../../resources/setting.js";
import type { PlannedRequest, Verb } from "../../../resources/dry-run.js";
import type { Risk } from "../risks.js";

/** An input that the user changed. A value is undefined where the input is not declared. */
export interface Edit {
  readonly property: string;
  readonly old: unknown;
  readonly fresh: unknown;
}

export interface Facts {
  readonly verb: Verb;
  /** Whether the step of an update is done: its dates are then certain. */
  readonly done: boolean;
  /** The known state of the object; undefined if none is known, so that anything may be replaced. */
  readonly before: Values | undefined;
  /** The declared inputs; of a delete, the old outputs. Secrets are replaced by the CLI's word for one. */
  readonly inputs: Values;
  /** The inputs declared before; empty if none are known. */
  readonly declaredBefore: Values;
  readonly edits: readonly Edit[];
  /** The due date that makes an update send, as YYYY-MM-DD. */
  readonly due: string | undefined;
  /** Whether the declaration said, and says, that due requests need no approval. */
  readonly unattended: boolean;
  /** Whether the outcome of the last request is unknown. */
  readonly lost: boolean;
  /** Whether requests go to another address than the last ones, so that the server may be another one. */
  readonly moved: boolean;
}

/** Whether the known values were adopted, and no request has sent any: the server may have others. */
export const isUnconfirmed = ({ before }: Facts): boolean => before !== undefined && isStateUnconfirmed(before);

/** What the server of the next requests has, as far as that is known. */
export const currentIn = (facts: Facts): Values | undefined =>
  facts.lost || facts.moved || isUnconfirmed(facts) ? undefined : facts.before;

/**
 * What the change does to its object, without a full stop: "deletes what is older". The object's name comes before it. Serves a
 * preview and an update. Parts in backticks are shown as code.
 */
export interface Sentence {
  readonly text: string;
  readonly risks: readonly Risk[];
}

/** The later effects of an edit. An empty list says nothing. */
export type EditSentences = (edit: Edit, facts: Facts) => Sentence[];

/** The sentences of one resource type. */
export interface Sentences {
  /** The object's name before its sentences. Default: the resource's name in the program. */
  readonly subject?: (values: Values, name: string) => string;
  /** For each request. An empty list says nothing. */
  sent(request: PlannedRequest, facts: Facts): Sentence[];
  /** If no request is sent. */
  nothingSent(facts: Facts): Sentence[];
  /** By the input's name; "request" if the sentences about the request say it. Other inputs are only said to change. */
  readonly edits: Readonly<Record<string, EditSentences | "request">>;
  /** What destroy or a removal from the program does; undefined if the resource has no `onDelete`. Not called with a hidden value. */
  readonly destroy?: (onDelete: unknown, facts: Facts) => Sentence;
  /**
   * What a rename in the state is good for, to follow "to".
   *
   * @param isAvoided whether only a new name sends the request: the update sends none to a renamed row
   */
  readonly renameSaves: (before: Values, isAvoided: boolean) => readonly string[];
  /** The risks if the values cannot be read. */
  readonly unreadable: Sentence["risks"];
}

export const sentence = (text: string, ...risks: Risk[]): Sentence => ({ text, risks });

/** Why an update sends something: "(due 2026-11-20)", or nothing. */
export function because(...reasons: (string | undefined)[]): string {
  const known = reasons.filter((reason) => reason !== undefined);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

export const dueReason = ({ due }: Facts): string | undefined => (due === undefined ? undefined : `due ${due}`);

export const lostReason = ({ lost }: Facts): string | undefined =>
  lost ? "its last request may have been carried out" : undefined;

export const whySent = (facts: Facts): string => because(dueReason(facts), lostReason(facts));

/** The risks of sending the same again. A declaration that needs no approval for it accepts them. */
export const unlessUnattended = (facts: Facts, ...risks: Risk[]): Risk[] =>
  facts.due !== undefined && facts.unattended && currentIn(facts) !== undefined ? [] : risks;

/** What sending the same again does. */
export const overwrites = "replaces whatever was set elsewhere";

/** For inputs without a sentence of their own, or whose values cannot be seen. */
export function stored(properties: readonly string[]): Sentence {
  const names = properties.map((key) => `\`${key}\``).join(", ");
  return sentence(`${names === "" ? "something that is not shown" : names} changed: stored without a request`);
}

/**
 * @param what with a space at its end, or nothing for the whole object
 * @param last the last value, in parentheses, or nothing
 */
export const leftAsSet = (facts: Facts, what: string, last: string): Sentence =>
  sentence(
    `${what}no longer managed, left as ${isUnconfirmed(facts) ? "it is" : `last set${last}`}`,
    "leaves things behind",
  );

/**
 * A setting that is taken over without a request.
 *
 * @param values as declared, such as "90 days"
 * @param properties what a request would set
 */
export function adoptedAs(values: string, { before, inputs, lost }: Facts, ...properties: readonly string[]): Sentence {
  const text = `adopted as ${values} without a request, which is not confirmed`;
  if (!before || (!lost && sameValues(before, inputs, properties))) return sentence(text);
  return sentence(`${text}; the state has other values, and the change is not sent`, "weakens a guard");
}

/** Sentences about the engine's options, which all resources have. */
export function optionSentences(before: Values, after: Values): Sentence[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => optionSentence(key, after[key]));
}

function optionSentence(key: string, fresh: unknown): Sentence {
  if (key === "protect") {
    return fresh === true
      ? sentence("protected: a delete is refused from now on")
      : sentence("no longer protected: it can be deleted now", "weakens a guard");
  }
  if (key !== "ignoreChanges") return stored([key]);
  const ignored = Array.isArray(fresh) ? fresh.map((property) => `\`${String(property)}\``).join(", ") : "";
  if (ignored === "") return sentence("no longer ignores edits (`ignoreChanges`)");
  // An ignored date is never due.
  const risks = /`(rotateOn|reassertOn|\*)`/.test(ignored) ? (["weakens a guard"] as const) : [];
  return sentence(`ignores edits of ${ignored} from now on (\`ignoreChanges\`)`, ...risks);
}
