/** What the sentences about a change are made from. */
import { isDeepStrictEqual } from "node:util";
import { containsUnknown, type Values } from "../../../lifecycle.js";
import type { Sent, Verb } from "../rehearse.js";
import type { Risk } from "../risks.js";

export interface Facts {
  readonly verb: Verb;
  /** The resource's name, as its author knows it. */
  readonly name: string;
  /** What is known of the object as it is; undefined where nothing is, so that anything may be replaced. */
  readonly before: Values | undefined;
  /** What is declared; of a delete, what was. Secrets are unknown values here. */
  readonly inputs: Values;
  /** Declared inputs whose names or values changed, without the computed ones. */
  readonly changed: readonly string[];
  /** The due date that makes an update send, as YYYY-MM-DD. */
  readonly due: string | undefined;
  /** Whether the answer to the last request was lost. */
  readonly lost: boolean;
}

/** One thing that happens, as a sentence without a full stop. */
export interface Telling {
  readonly text: string;
  readonly risks: readonly Risk[];
}

/** The sentences of one resource type. */
export interface Words {
  /** A request is sent. Nothing to tell is an empty list. */
  sent(request: Sent, facts: Facts): Telling[];
  /** No request is sent. */
  nothingSent(facts: Facts): Telling[];
  /** The values cannot be read: everything is possible. */
  unreadable: Telling["risks"];
}

export function tell(text: string, ...risks: Risk[]): Telling {
  return { text, risks };
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

export function stored({ name, changed }: Facts): Telling {
  const what = changed.length === 0 ? "something that is not shown" : changed.join(", ");
  return tell(`${name}: ${what} changed; that is stored and nothing is sent`);
}

export function possessive(name: string): string {
  return name.endsWith("s") ? `${name}'` : `${name}'s`;
}

/** More triggers than these are not named: a sentence has to end. */
const maxTriggers = 4;

/** Which triggers changed, and which of them cannot be seen: those that are secret or not known yet. */
export function triggerReasons(before: unknown, after: unknown): { changed: string | undefined; hidden: boolean } {
  if (isDeepStrictEqual(before, after)) return { changed: undefined, hidden: false };
  const [old, fresh] = [membersOf(before), membersOf(after)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  const differing = keys.filter((key) => !isDeepStrictEqual(old[key], fresh[key]));
  const visible = differing.filter((key) => !containsUnknown(fresh[key]));
  const hidden = containsUnknown(after) && visible.length === 0;
  const shown = hidden ? differing : visible;
  if (shown.length === 0) return { changed: hidden ? "triggers cannot be seen here" : "triggers changed", hidden };
  const noun = shown.length === 1 ? "trigger" : "triggers";
  const named = shown.slice(0, maxTriggers).join(", ") + (shown.length > maxTriggers ? ", …" : "");
  return { changed: `${noun} ${named} ${hidden ? "cannot be seen here" : "changed"}`, hidden };
}

function membersOf(value: unknown): Values {
  return typeof value === "object" && value !== null ? (value as Values) : {};
}
