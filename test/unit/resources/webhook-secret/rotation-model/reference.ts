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
  /** Of the last rotation, or of the one whose answer was lost. Undefined if the state has an id of its own. */
  readonly id?: string | undefined;
}

/** What the engine stores of the webhook. */
export interface Stored {
  readonly trigger: number;
  readonly period: number | undefined;
  /** Day of the next rotation. */
  readonly rotateOn: number | undefined;
  readonly initialSecret: string | undefined;
  readonly knowledge: Knowledge;
  /** What the update declared whose rotation was lost: the engine keeps the inputs of before. */
  readonly lost?: { readonly trigger: number; readonly due: number | undefined; readonly isNewSecret: boolean };
  /** Whether a rotation that started from this state may have been carried out, and the state does not say so. */
  readonly isPending?: boolean;
}

/** What the outputs say after a process that had time to write them. */
export const known = ({ knowledge, isPending }: Stored): Knowledge =>
  isPending ? { ...knowledge, state: "uncertain" } : knowledge;

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
  if (known(stored).state === "uncertain") return !endsDoubt(stored, declared, today);
  return stored.trigger !== declared.trigger || dueOn(stored, declared, today) !== undefined;
}

const isNewSecret = (stored: Stored, { initialSecret }: Declaration): boolean =>
  initialSecret !== undefined && initialSecret !== stored.initialSecret;

/** Whether the user has given another secret since the rotation that is in doubt, and asks for no other rotation. */
export function endsDoubt(stored: Stored, declared: Declaration, today: number): boolean {
  const { lost } = stored;
  const due = dueOn(stored, declared, today);
  const isAsked =
    declared.trigger !== (lost?.trigger ?? stored.trigger) || (due !== undefined && !(due <= (lost?.due ?? -1)));
  return isNewSecret(stored, declared) && lost?.isNewSecret !== true && !isAsked;
}

/** What the declaration says about the secret before any rotation. Another secret has an id of its own. */
function caughtUp(knowledge: Knowledge, declared: Declaration): Knowledge {
  const latest = withDeclared(knowledge, declared);
  return latest.secret === knowledge.secret ? latest : { ...latest, id: undefined };
}

function withDeclared(knowledge: Knowledge, declared: Declaration): Knowledge {
  if (knowledge.state === "adopted") {
    return { ...knowledge, ...(declared.initialSecret !== undefined && { secret: declared.initialSecret }) };
  }
  const { answer } = knowledge;
  if (answer === undefined || !finds(declared, answer.style)) return knowledge;
  return { ...knowledge, secret: answer.secret, state: knowledge.state === "unread" ? "rotated" : knowledge.state };
}

/** The given secret ends the doubt: what is known of it is what the user says. */
function given({ secret, previous, ...others }: Knowledge, { initialSecret }: Declaration): Knowledge {
  const before = secret === initialSecret ? previous : (secret ?? previous);
  return {
    ...others,
    ...(initialSecret !== undefined && { secret: initialSecret }),
    ...(before !== undefined && { previous: before }),
    state: "adopted",
    id: undefined,
  };
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
  server: { fate: Fate; exists: boolean; style: Style; secret: string; attempt: string | undefined },
): { stored: Stored | undefined; outcome: Outcome } {
  const done: Omit<Stored, "knowledge"> = {
    trigger: declared.trigger,
    period: declared.period,
    rotateOn: rotateOn(stored, declared, today),
    initialSecret: declared.initialSecret,
  };
  const before: Knowledge = stored
    ? caughtUp(known(stored), declared)
    : caughtUp({ state: "adopted", count: 0 }, declared);
  if (!mustRotate(stored, declared, today))
    return {
      stored: { ...done, knowledge: before.state === "uncertain" ? given(before, declared) : before },
      outcome: "up",
    };

  const { fate } = server;
  if (fate === "refused" || fate === "rate limited" || fate === "not sent") return { stored, outcome: "failed" };
  if (!server.exists) return { stored, outcome: "failed" };
  if (fate.startsWith("killed")) return { stored: stored && { ...stored, isPending: true }, outcome: "killed" };
  if (fate !== "done")
    return {
      stored: {
        ...(stored ?? done),
        isPending: false,
        lost: {
          trigger: declared.trigger,
          due: stored && dueOn(stored, declared, today),
          isNewSecret: stored !== undefined && isNewSecret(stored, declared),
        },
        knowledge: { ...before, state: "uncertain", id: server.attempt },
      },
      outcome: "failed",
    };
  const previous = before.secret ?? before.previous;
  const { style } = server;
  const rotated = {
    ...(previous !== undefined && { previous }),
    ...(style !== "nowhere" && { answer: { style, secret: server.secret } }),
    count: before.count + 1,
    id: server.attempt,
  };
  const knowledge: Knowledge = finds(declared, style)
    ? { ...rotated, state: "rotated", secret: server.secret }
    : { ...rotated, state: "unread" };
  return { stored: { ...done, knowledge }, outcome: "up" };
}
