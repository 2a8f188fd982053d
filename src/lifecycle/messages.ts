/** What a lifecycle says to the user, always through the log of its context. Whoever runs a verb to ask something gives it a silent one. */
import type { Context } from "./context.js";
import type { Code } from "../values/codes.js";
import { warning } from "../values/diagnostic.js";
import type { Values } from "../values/any.js";
import { objectText, type ResourceName } from "./object.js";

/** Warns about one object of the provider's organization, which the warning names. */
export function warnOfObject(
  { log, organization }: Context,
  lifecycle: ResourceName,
  values: Values,
  code: Code,
  text: string,
): void {
  log.warn(warning(code, `${objectText(lifecycle, { ...values, organization })}: ${text}`));
}

/** @param subject what the warning is about: one of it is enough in a run */
export function warnOnce(
  { run, log }: Pick<Context, "run" | "log">,
  subject: string,
  ...of: Parameters<typeof warning>
): void {
  if (run.notes().providers.has("warned", subject)) return;
  run.note({ says: "warned", key: subject });
  log.warn(warning(...of));
}
