/** A second, simple description of WebhookSecret: which `up` rotates, and what is known of the secret after it. */
import type { Fate, Style } from "./memory-plane.js";

/** What the program declares for the webhook. */
export interface Declaration {
  readonly trigger: number;
  /** Days. undefined for never. */
  readonly period: number | undefined;
  readonly onCreate: "rotate" | "adopt";
  readonly initialSecret: string | undefined;
  /** Whether secretPath is set, to the place where a `hidden` answer has its secret. */
  readonly findsHidden: boolean;
}

/** What the outputs show the user. */
export interface Knowledge {
  readonly state: "rotated" | "adopted" | "unread" | "uncertain";
  readonly secret?: string;
  readonly previous?: string;
  /** The answer to the last rotation, if it has anything. */
  readonly answer?: { readonly style: Style; readonly secret: string };
  readonly count: number;
}

/** What the engine stores of the webhook. */
export interface Stored {
  readonly trigger: number;
  readonly period: number | undefined;
  /** Day of the next rotation. */
  readonly rotateOn: number | undefined;
  readonly knowledge: Knowledge;
}

/** The schedule after a successful `up`. It counts from the rotation by trigger, or from the due day. */
function rotateOn(stored: Stored | undefined, { period, trigger }: Declaration, today: number): number | undefined {
  if (period === undefined) return undefined;
  if (stored?.rotateOn === undefined || stored.period === undefined || stored.trigger !== trigger)
    return today + period;
  const on = stored.rotateOn + period - stored.period;
  if (on > today) return on;
  return on + period > today ? on + period : today + period;
}

/** The day that is due; undefined if none is. */
function dueOn(stored: Stored, { period, trigger }: Declaration, today: number): number | undefined {
  if (period === undefined || stored.rotateOn === undefined || stored.period === undefined) return undefined;
  const on = stored.rotateOn + period - stored.period;
  return stored.trigger === trigger && on <= today ? on : undefined;
}

export function mustRotate(stored: Stored | undefined, declared: Declaration, today: number): boolean {
  if (stored === undefined) return declared.onCreate === "rotate";
  return (
    stored.knowledge.state === "uncertain" ||
    stored.trigger !== declared.trigger ||
    dueOn(stored, declared, today) !== undefined
  );
}

/** What the declaration says about the secret before any rotation. */
function caughtUp(knowledge: Knowledge, declared: Declaration): Knowledge {
  if (knowledge.state === "adopted") {
    return { ...knowledge, ...(declared.initialSecret !== undefined && { secret: declared.initialSecret }) };
  }
  const { answer } = knowledge;
  if (answer === undefined || !finds(declared, answer.style)) return knowledge;
  return { ...knowledge, secret: answer.secret, state: knowledge.state === "unread" ? "rotated" : knowledge.state };
}

/** Whether a replaced resource may go: the one that replaces it knows as much, or rotated since. */
export function mayForget(old: Knowledge, declared: Knowledge): boolean {
  if (old.secret === undefined && old.answer === undefined) return true;
  if (declared.state === "rotated" || declared.state === "unread") return true;
  if (declared.secret === undefined) return false;
  return declared.secret === old.secret || (declared.state === "adopted" && old.state === "adopted");
}

/** A secretPath finds only the secret at its own place. */
function finds(declared: Declaration, style: Style): boolean {
  return style === (declared.findsHidden ? "hidden" : "usual");
}

export type Outcome = "up" | "failed" | "killed";

/** What the engine stores after an `up`, and the result of the `up`. */
export function afterUp(
  stored: Stored | undefined,
  declared: Declaration,
  today: number,
  server: { fate: Fate; exists: boolean; style: Style; secret: string },
): { stored: Stored | undefined; outcome: Outcome } {
  const done: Omit<Stored, "knowledge"> = {
    trigger: declared.trigger,
    period: declared.period,
    rotateOn: rotateOn(stored, declared, today),
  };
  const before = caughtUp(stored?.knowledge ?? { state: "adopted", count: 0 }, declared);
  if (!mustRotate(stored, declared, today)) return { stored: { ...done, knowledge: before }, outcome: "up" };

  const { fate } = server;
  if (fate === "refused" || fate === "rate limited" || fate === "not sent") return { stored, outcome: "failed" };
  if (!server.exists) return { stored, outcome: "failed" };
  if (fate.startsWith("killed")) return { stored, outcome: "killed" };
  if (fate !== "done")
    return { stored: { ...(stored ?? done), knowledge: { ...before, state: "uncertain" } }, outcome: "failed" };
  const previous = before.secret ?? before.previous;
  const { style } = server;
  const rotated = {
    ...(previous !== undefined && { previous }),
    ...(style !== "nowhere" && { answer: { style, secret: server.secret } }),
    count: before.count + 1,
  };
  const knowledge: Knowledge = finds(declared, style)
    ? { ...rotated, state: "rotated", secret: server.secret }
    : { ...rotated, state: "unread" };
  return { stored: { ...done, knowledge }, outcome: "up" };
}
