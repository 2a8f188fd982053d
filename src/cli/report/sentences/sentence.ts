/** What the sentences about a change are made from. */
import type { Values } from "../../../resources/lifecycle.js";
import type { Sent, Verb } from "../dry-run.js";
import type { Risk } from "../risks.js";

/** An input that a user has written otherwise than before; undefined where it was, or is, not declared. */
export interface Edit {
  readonly property: string;
  readonly old: unknown;
  readonly fresh: unknown;
}

export interface Facts {
  readonly verb: Verb;
  /** The resource's name, as its author knows it. */
  readonly name: string;
  /** Whether it has happened: an update that has ended is told in the past tense. */
  readonly past: boolean;
  /** What is known of the object as it is; undefined where nothing is, so that anything may be replaced. */
  readonly before: Values | undefined;
  /** What is declared; of a delete, what was. Secrets are the CLI's own word for one here. */
  readonly inputs: Values;
  /** What was declared; empty where nothing is known of it. */
  readonly declaredBefore: Values;
  readonly edits: readonly Edit[];
  /** The due date that makes an update send, as YYYY-MM-DD. */
  readonly due: string | undefined;
  /** Whether the declaration said, and says, that what is due may be sent without a person's approval. */
  readonly unattended: boolean;
  /** Whether the answer to the last request was lost. */
  readonly lost: boolean;
}

/** One thing that happens, as a sentence without a full stop. Parts in backticks are to be read as they stand. */
export interface Sentence {
  readonly text: string;
  readonly risks: readonly Risk[];
}

/** What an edit does later, since it sends nothing now. Nothing to tell is an empty list. */
export type EditSentences = (edit: Edit, facts: Facts) => Sentence[];

/** The sentences of one resource type. */
export interface Sentences {
  /** A request is sent. Nothing to tell is an empty list. */
  sent(request: Sent, facts: Facts): Sentence[];
  /** No request is sent. */
  nothingSent(facts: Facts): Sentence[];
  /** By the input's name. What is not here is said to have changed, and nothing more. */
  readonly edits: Readonly<Record<string, EditSentences>>;
  /** What destroy does, and a removal from the program, by the value of `onDelete`; undefined where there is no such input. */
  readonly destroy?: (onDelete: unknown, facts: Facts) => Sentence;
  /** What `pulumi state rename` saves, as "the rotation". */
  readonly renameSaves: string;
  /** The values cannot be read: everything is possible. */
  unreadable: Sentence["risks"];
}

export function sentence(text: string, ...risks: Risk[]): Sentence {
  return { text, risks };
}

/** For an edit that the sentences about the request tell. */
export const toldByRequest: EditSentences = () => [];

export function tense({ past }: Facts, now: string, then: string): string {
  return past ? then : now;
}

/** Why an update sends something: "(due 2026-11-20)", or nothing. */
export function because(...reasons: (string | undefined)[]): string {
  const given = reasons.filter((reason) => reason !== undefined);
  return given.length === 0 ? "" : ` (${given.join(", ")})`;
}

export function dueReason({ due }: Facts): string | undefined {
  return due === undefined ? undefined : `due ${due}`;
}

export function lostReason({ lost }: Facts): string | undefined {
  return lost ? "the last answer was lost" : undefined;
}

/** The risks of sending the same again, which nobody looks at who has said so in the declaration. */
export function unlessUnattended({ due, unattended, lost }: Facts, ...risks: Risk[]): Risk[] {
  return due !== undefined && unattended && !lost ? [] : risks;
}

/** What becomes of what was changed elsewhere when the same is sent again. */
export function undoing(facts: Facts): string {
  return facts.unattended && facts.due !== undefined
    ? tense(facts, "that undoes what was changed elsewhere", "that undid what was changed elsewhere")
    : tense(facts, "that replaces whatever was set elsewhere", "that replaced whatever was set elsewhere");
}

/** Of inputs that have no words of their own, or whose values cannot be seen. */
export function stored(facts: Facts, properties: readonly string[]): Sentence {
  const what =
    properties.length === 0 ? "something that is not shown" : properties.map((key) => `\`${key}\``).join(", ");
  return sentence(
    `${facts.name}: ${what} changed; ${tense(facts, "that is stored and nothing is sent", "that was stored")}`,
  );
}

export function possessive(name: string): string {
  return name.endsWith("s") ? `${name}'` : `${name}'s`;
}
