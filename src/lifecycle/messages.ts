/** What a lifecycle says to the user, always through the log of its context. Whoever runs a verb to ask something gives it a silent one. */
import type { Values } from "../values/any.js";
import type { Code } from "../values/codes.js";
import { warning } from "../values/diagnostic.js";
import type { Context } from "./context.js";
import { objectText, type ResourceName } from "./object.js";

/** Warns about one object, which the warning names. */
export function warnOfObject(
  { log, organization }: Context,
  lifecycle: ResourceName,
  values: Values,
  code: Code,
  text: string,
): void {
  log.warn(warning(code, `${objectText(lifecycle, { organization, ...values })}: ${text}`));
}
