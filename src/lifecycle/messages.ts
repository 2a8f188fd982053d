/** What a check or a verb says to the user. */
import type { Context, Log } from "./context.js";
import type { Values } from "../values/any.js";
import type { Note } from "./notes.js";
import { identityOf, type ResourceName } from "./object.js";

/** A line for the user. */
export type Message = Readonly<Partial<Record<keyof Log, string>>>;

export interface Reported {
  /** For the checks that follow in this run. */
  readonly notes?: readonly Note[];
  readonly messages?: readonly Message[];
}

/** With the name of the object, which is one of the provider's organization. */
const ofObject = ({ organization }: Context, lifecycle: ResourceName, values: Values, message: string): string =>
  `${identityOf(lifecycle, { ...values, organization })}: ${message}`;

export function warn(ctx: Context, lifecycle: ResourceName, values: Values, message: string): void {
  ctx.log.warn(ofObject(ctx, lifecycle, values, message));
}

/** @param subject what the message is about: one message of it is enough in a run */
export function warnOnce({ run, log }: Pick<Context, "run" | "log">, subject: string, message: string): void {
  if (run.notes().providers.has("warned", subject)) return;
  run.note({ kind: "warned", key: subject });
  log.warn(message);
}

export const warning = (...of: Parameters<typeof warn>): Message => ({ warn: ofObject(...of) });

/** Notes and logs what a check or a diff has found. */
export function report({ run, log }: Pick<Context, "run" | "log">, { notes = [], messages = [] }: Reported): void {
  for (const note of notes) run.note(note);
  for (const { info, warn } of messages) {
    if (info !== undefined) log.info(info);
    if (warn !== undefined) log.warn(warn);
  }
}
