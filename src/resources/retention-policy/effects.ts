/** What a change of a RetentionPolicy does: which data it may delete. */
import { isObject, membersOf, type Values } from "../../values/any.js";
import { hiddenAs, type Risk } from "../../lifecycle/effects/risk.js";
import type { Loosens } from "../../lifecycle/effects/guards.js";

/** The setting that destroy sends, if `onDelete` does not retain. A preview may hide `onDelete` as a whole, and so both values. */
export function settingOnDelete<Days>({ retentionDays, onDelete }: { retentionDays: Days; onDelete?: unknown }) {
  const isHidden = typeof onDelete === "string" && hiddenAs(onDelete) !== undefined;
  const setting = isHidden ? { retentionDays: onDelete, enabled: onDelete } : onDelete;
  return isObject(setting) ? (setting as { retentionDays: Days; enabled: boolean }) : { retentionDays, enabled: false };
}

/** Only more days of a policy that stays on surely delete nothing. The same days may replace more of them, which were set elsewhere. */
export function retentionRisks(after: Values, current: Values = {}): Risk[] {
  const isOn = after.enabled === true && current.enabled === true;
  return isOn && Number(after.retentionDays) > Number(current.retentionDays) ? [] : ["deletes data"];
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

/** A step that this change takes is approved with it. Any other step loosens the guard: a later change could take it. */
export const allowsOtherSteps: Loosens = ({ old, fresh }, { before, inputs }) => {
  const taken = { from: before?.retentionDays, to: inputs.retentionDays };
  const known = [...stepsIn(old), ...stepsIn(taken)];
  return hiddenAs(fresh) !== undefined || stepsIn(fresh).some((step) => !includesStep(known, step));
};
