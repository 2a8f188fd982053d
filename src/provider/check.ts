/** What both providers check of a resource beside its lifecycle: the settings of the provider, and what the engine did to its inputs. */
import type { Context } from "../lifecycle/context.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { isoDate } from "../lifecycle/schedule.js";
import type { Values } from "../values/any.js";
import { diagnosticText, warning, type Diagnostic } from "../values/diagnostic.js";
import { engineText } from "../values/text.js";
import { previewProblems, type ProviderSettings } from "./settings.js";

/** A problem as the reason of a CheckFailure. The failure names no property: the engine would print its value, which may be a misplaced token. */
export const engineReason = (problem: Diagnostic): string => engineText(diagnosticText(problem));

export function checkResource(
  lifecycle: Lifecycle,
  ctx: Context,
  settings: ProviderSettings,
  olds: Values,
  news: Values,
) {
  warnOfNamedTime(ctx, settings);
  // The engine's option `ignoreChanges` puts the old values of computed inputs among the user's.
  const computed = ["organization", "address", lifecycle.date];
  const written = Object.entries(news).filter(
    ([key, value]) => !key.startsWith("__") && !(computed.includes(key) && value === olds[key]),
  );
  const { inputs, problems } = lifecycle.check(ctx, olds, Object.fromEntries(written));
  return { inputs, problems: [...previewProblems(settings), ...problems] };
}

function warnOfNamedTime({ run, log }: Context, { namedNow }: ProviderSettings): void {
  // `voiceplane apply` sets the variable too, to the date of its start.
  if (namedNow === undefined || isoDate(namedNow) === isoDate(new Date()) || run.warned.has("time-set")) return;
  run.warned.add("time-set");
  const shown = namedNow.toISOString();
  log.warn(
    warning(
      "time-set",
      `VOICEPLANE_NOW is set: this run takes ${shown} for the present, and sends what is due by then.`,
    ),
  );
}
