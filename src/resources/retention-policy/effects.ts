/** What a change of a RetentionPolicy does: which data it may delete. */
import { isObject, type Values } from "../../values/any.js";
import { effect, hiddenAs, isUnconfirmed, membersOf, type Effect } from "../../lifecycle/effects/effect.js";
import type { IsHarmless, Loosens } from "../../lifecycle/effects/guards.js";
import { adoptedAs, effectsFrom, leftAsSet, overwrites, type Facts } from "../../lifecycle/effects/frame.js";

interface Setting {
  readonly retentionDays: number;
  readonly enabled: boolean;
}

/** The setting that destroy sends, if `onDelete` does not retain. A preview may hide `onDelete` as a whole, and so both values. */
export function settingOnDelete<Days>({ retentionDays, onDelete }: { retentionDays: Days; onDelete?: unknown }) {
  const isHidden = typeof onDelete === "string" && hiddenAs(onDelete) !== undefined;
  const setting = isHidden ? { retentionDays: onDelete, enabled: onDelete } : onDelete;
  return isObject(setting) ? (setting as { retentionDays: Days; enabled: boolean }) : { retentionDays, enabled: false };
}

/** Deleted data cannot be restored, so every text about a request that may delete some says so. */
export const retentionPolicyEffects = effectsFrom({
  adopted: (change) => adoptedAs(shownIn(change.inputs), change, "retentionDays", "enabled"),
  left: (change) => leftAsSet(change, "", shownIn(change.current)),
  sent: sentEffect,
});

function sentEffect(change: Facts): Effect {
  const { verb, before = {}, inputs, current, may, why } = change;
  const known = settingIn(current);
  const values: Values = verb === "delete" ? settingOnDelete({ retentionDays: undefined, ...inputs }) : inputs;
  const after = settingIn(values);
  const older = `${may("delete", "deleted")} what is older`;
  const deletes = (text: string): Effect => effect(text, "deletes data");
  if (!after) {
    const [days, enabled] = [values.retentionDays, values.enabled].map(hiddenAs);
    const what = days
      ? `may set any number of days: it is ${days}`
      : `may turn the policy on or off: that is ${enabled ?? "not known yet"}`;
    return deletes(`${what}${why}; ${may("delete", "deleted")} data`);
  }
  // The API does not say what a policy that is off means.
  if (!after.enabled && known?.enabled !== false)
    return deletes(
      `turns the policy off, with ${daysText(after.retentionDays)}${why}: what happens to the data is up to the server`,
    );
  if (!known) {
    const adopted = change.uncertain || change.moved || !isUnconfirmed(before) ? undefined : settingIn(before);
    if (!adopted) return deletes(`sets ${shown(after)}${why}; ${older}`);
    // The adopted days are what the user wrote. If the server keeps data for longer, a higher number of days deletes some too.
    return deletes(`${fromTo(adopted, after)}${why}; ${older}: ${shown(adopted)} adopted, never sent`);
  }
  if (!known.enabled && after.enabled)
    return deletes(`turns the policy on, with ${shown(after)}${why}; deletes what is older`);
  const [from, to] = [known.retentionDays, after.retentionDays];
  if (from === to) {
    const risks = change.unlessUnattended("deletes data");
    const end = risks.length === 0 ? "" : ` and ${older}`;
    return effect(`sends ${shown(after)} again${why}; ${overwrites}${end}`, ...risks);
  }
  const text = `${fromTo(known, after)}${why}`;
  if (!after.enabled) return deletes(`${text}; ${may("delete", "deleted")} data`);
  if (to > from) return effect(text);
  return deletes(`${text}; deletes what is older${withoutGuard({ from, to }, change)}`);
}

/** The guard against fewer days compares with the resource's own state, so it does not see a new resource or name. */
function withoutGuard(step: ShorteningStep, { verb, inputs }: Facts): string {
  if (verb !== "create" || includesStep(stepsIn(inputs.allowShortening), step)) return "";
  const { from, to } = step;
  return `; the guard for fewer days does not apply here, and no \`allowShortening: { from: ${from}, to: ${to} }\` is declared`;
}

interface ShorteningStep {
  readonly from: number;
  readonly to: number;
}

export function stepsIn(allowShortening: unknown): ShorteningStep[] {
  return [allowShortening].flat().filter((item): item is ShorteningStep => {
    const { from, to } = membersOf(item);
    return typeof from === "number" && typeof to === "number";
  });
}

export const includesStep = (steps: readonly ShorteningStep[], { from, to }: ShorteningStep): boolean =>
  steps.some((step) => step.from === from && step.to === to);

function settingIn({ retentionDays, enabled }: Values = {}): Setting | undefined {
  if (typeof retentionDays !== "number" || typeof enabled !== "boolean") return undefined;
  return { retentionDays, enabled };
}

const daysText = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

const shown = ({ retentionDays, enabled }: Setting): string =>
  `${daysText(retentionDays)}${enabled ? "" : ", turned off"}`;

/** The setting in words, if it is known. */
function shownIn(values: Values | undefined): string | undefined {
  const known = settingIn(values);
  return known && shown(known);
}

/** A request has both values, so the text has the one that stays too. */
function fromTo(before: Setting, after: Setting): string {
  const lead = before.retentionDays === after.retentionDays ? "sends" : `${before.retentionDays} →`;
  const still = before.enabled === after.enabled ? "still " : "";
  return `${lead} ${daysText(after.retentionDays)}, ${still}turned ${after.enabled ? "on" : "off"}`;
}

/** A step that this change takes is approved with it. Any other step loosens the guard: a later change could take it. */
export const allowsOtherSteps: Loosens = ({ old, fresh }, { before, inputs }) => {
  const taken = { from: before?.retentionDays, to: inputs.retentionDays };
  const known = [...stepsIn(old), ...stepsIn(taken)];
  return hiddenAs(fresh) !== undefined || stepsIn(fresh).some((step) => !includesStep(known, step));
};

/** Whether destroy deletes no data: the policy stays on, with at least as many days. */
export const keepsDays: IsHarmless = (onDelete, inputs) =>
  onDelete.enabled === true &&
  inputs.enabled === true &&
  Number(onDelete.retentionDays) >= Number(inputs.retentionDays);
