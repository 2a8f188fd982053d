/** What both providers check of a resource. */
import type { Context, Lifecycle, OrganizationScoped, Problem, Values } from "../resources/lifecycle.js";
import { problemText } from "../resources/problems.js";
import { destroySendsNothing, retainedKey } from "./retained.js";
import type { ProviderSettings } from "./settings.js";

interface CheckResult {
  readonly inputs: OrganizationScoped;
  /** Why nothing may be sent. Each names the property itself: for a failure that names it, the engine prints the property's value. */
  readonly reasons: readonly string[];
}

export function checkResource(
  lifecycle: Lifecycle,
  ctx: Context,
  settings: ProviderSettings,
  olds: Values,
  news: Values,
): CheckResult {
  const written = Object.entries(news).filter(([key]) => !key.startsWith("__"));
  const { inputs, problems } = lifecycle.check(ctx, olds, Object.fromEntries(written));
  const reasons = [...problems, ...lateOnDelete(news)].map(problemText);
  return { inputs: sentAgain(lifecycle, inputs), reasons: [...settings.problems, ...reasons] };
}

/**
 * `voiceplane apply` sets the variable after a run that ended before its state was saved: the state may have values that the server
 * has no more. Each setting is then due once, as on its date.
 */
function sentAgain(lifecycle: Lifecycle, inputs: OrganizationScoped): OrganizationScoped {
  const { VOICEPLANE_RESEND_SETTINGS: mark = "" } = process.env;
  const isSetting = lifecycle.date === "reassertOn";
  return isSetting && mark !== "" ? Object.assign(inputs, { __due: mark }) : inputs;
}

/** A transform runs after the option was set, so destroy would ignore its `onDelete`. */
function lateOnDelete(inputs: Values): Problem[] {
  if (inputs[retainedKey] !== true || destroySendsNothing(inputs)) return [];
  const reason =
    "was set by a transform, which is too late: destroy would not send it. Set it in the resource's own arguments, or give " +
    "the resource the option retainOnDelete: false";
  return [{ property: "onDelete", reason }];
}
