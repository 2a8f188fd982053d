/** What both providers check of a resource. */
import {
  checkInRun,
  type Context,
  type Lifecycle,
  type OrganizationScoped,
  type Problem,
  type Values,
} from "../resources/lifecycle.js";
import { problemText } from "../resources/problems.js";
import { messageOf } from "../values/any.js";
import { engineText } from "./engine-text.js";
import { destroySendsNothing, retainedKey } from "./retained.js";
import type { ProviderSettings } from "./settings.js";
import { trialTime } from "./trial-clock.js";

interface CheckResult {
  readonly inputs: OrganizationScoped;
  /** Why nothing may be sent. */
  readonly problems: readonly Problem[];
}

/**
 * A problem as a failure of the engine's protocol. Of the property that it names, the engine prints the value, secret or not: so only one
 * that is missing, a number or a flag is named. A text may be a misplaced token. Otherwise the reason has the property.
 *
 * @param mayBeSecret whether the value of this property was marked
 */
export function failureOf(problem: Problem, news: Values, mayBeSecret: (property: string) => boolean): Problem {
  const { property } = problem;
  const isAbsent = !property.includes(".") && news[property] === undefined;
  const isHarmless = ["number", "boolean"].includes(typeof news[property]) && !mayBeSecret(property);
  const shown = isAbsent || isHarmless ? property : "";
  return { property: shown, reason: engineText(shown === property ? problem.reason : problemText(problem)) };
}

export async function checkResource(
  lifecycle: Lifecycle,
  ctx: Context,
  settings: ProviderSettings,
  olds: Values,
  news: Values,
): Promise<CheckResult> {
  const written = Object.entries(news).filter(([key]) => !key.startsWith("__"));
  const reasons = [...settings.problems];
  let now = (): Date => ctx.now();
  // With a problem, nothing is sent. A base URL that only the update knows has no address yet.
  if (settings.isTrial && settings.address !== "" && reasons.length === 0) {
    try {
      const time = await trialTime(settings.address);
      now = () => time;
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  const { inputs, problems } = checkInRun(lifecycle, { ...ctx, now }, olds, Object.fromEntries(written));
  const ofSettings = reasons.map((reason) => ({ property: "", reason }));
  return { inputs: sentAgain(lifecycle, inputs), problems: [...ofSettings, ...problems, ...lateOnDelete(news)] };
}

/**
 * `voiceplane apply` sets the variable after a run that ended before its state was saved: the state may have values that the server
 * no longer has. Each setting is then due once, as on its date.
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
