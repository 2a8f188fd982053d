/** What both providers check of a resource beside its lifecycle: the settings of the provider, and what the engine did to its inputs. */
import { warnOnce } from "../lifecycle/messages.js";
import type { Context } from "../lifecycle/context.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import type { Values } from "../values/any.js";
import { objectText } from "../lifecycle/object.js";
import { retainedKey, retains } from "../lifecycle/effects/guards.js";
import { diagnosticText, errorOf, problem, type Diagnostic } from "../values/diagnostic.js";
import { isoDate } from "../lifecycle/schedule.js";
import { engineText } from "../values/text.js";
import type { ProviderSettings } from "./settings.js";

/** A problem as the reason of a CheckFailure. The failure names no property: the engine would print its value, which may be a misplaced token. */
export const engineReason = (problem: Diagnostic): string => engineText(diagnosticText(problem));

export function checkResource(
  lifecycle: Lifecycle,
  ctx: Context,
  settings: ProviderSettings,
  olds: Values,
  news: Values,
) {
  refuseImportFile(lifecycle, ctx, olds, news);
  warnOfNamedTime(ctx, settings);
  const written = Object.entries(news).filter(([key]) => !key.startsWith("__"));
  const { inputs, problems } = lifecycle.check(ctx, olds, Object.fromEntries(written));
  return { inputs, problems: [...settings.problems, ...problems, ...lateOnDelete(news)] };
}

function warnOfNamedTime(ctx: Context, { namedNow }: ProviderSettings): void {
  // `voiceplane apply` sets the variable too, to the date of its start.
  if (namedNow === undefined || isoDate(namedNow) === isoDate(new Date())) return;
  const shown = namedNow.toISOString();
  const message = `VOICEPLANE_NOW is set: this run takes ${shown} for the present, and sends what is due by then.`;
  warnOnce(ctx, "VOICEPLANE_NOW", "time-set", message);
}

/**
 * The engine stores the inputs and outputs of a file for `pulumi import` without asking the provider. A check then gets the inputs of the file as
 * the old ones. They lack the organization, which all others have from a check or from an import by id.
 *
 * @throws Error, because a failure of a check would not end the import
 */
function refuseImportFile(lifecycle: Lifecycle, { organization }: Context, olds: Values, news: Values): void {
  if (Object.keys(olds).length > 0 && typeof olds.organization !== "string")
    throw importFileError(lifecycle, { ...news, organization });
}

export const importFileError = (lifecycle: Lifecycle, values: Values): Error =>
  errorOf(
    "cannot-import",
    `${objectText(lifecycle, values)}: cannot be imported from a file with its values. ${adoptInstead}`,
  );

export const adoptInstead = 'Declare it with onCreate: "adopt" instead: the first update then sends nothing.';

/** An `onDelete` from a transform, which runs after the program has set `retainOnDelete`: destroy would drop the state without sending it. */
function lateOnDelete(inputs: Values): Diagnostic[] {
  if (inputs[retainedKey] !== true || retains(inputs)) return [];
  const text =
    "was set by a transform, which is too late: destroy would not send it. Set it in the resource's own arguments, or give " +
    "the resource the option retainOnDelete: false";
  return [problem("late-on-delete", text, ["onDelete"])];
}
