/**
 * What a lifecycle says to the user. A check and a diff return it as messages, because a report asks them too and prints nothing. A verb that
 * sends warns at once: its request may fail.
 */
import type { Context } from "./context.js";
import type { Code } from "../values/codes.js";
import { warning, type Diagnostic } from "../values/diagnostic.js";
import type { Values } from "../values/any.js";
import type { Note } from "./notes.js";
import { identityOf, type ResourceName } from "./object.js";

/** For the user: a warning, or a line without one. */
export type Message = Diagnostic | { readonly info: string };

export interface Reported {
  /** For the checks that follow in this run. */
  readonly notes?: readonly Note[];
  readonly messages?: readonly Message[];
}

/** A warning about one object of the provider's organization, which it names. */
export const objectWarning = (
  { organization }: Context,
  lifecycle: ResourceName,
  values: Values,
  code: Code,
  text: string,
): Diagnostic => warning(code, `${identityOf(lifecycle, { ...values, organization })}: ${text}`);

export function warnOfObject(...of: Parameters<typeof objectWarning>): void {
  const [ctx] = of;
  ctx.log.warn(objectWarning(...of));
}

/** @param subject what the warning is about: one of it is enough in a run */
export function warnOnce(
  { run, log }: Pick<Context, "run" | "log">,
  subject: string,
  ...of: Parameters<typeof warning>
): void {
  if (run.notes().providers.has("warned", subject)) return;
  run.note({ kind: "warned", key: subject });
  log.warn(warning(...of));
}

/** Notes and logs what a check or a diff has found. */
export function noteAndLog({ run, log }: Pick<Context, "run" | "log">, { notes = [], messages = [] }: Reported): void {
  for (const note of notes) run.note(note);
  for (const message of messages) {
    if ("info" in message) log.info(message.info);
    else log.warn(message);
  }
}
