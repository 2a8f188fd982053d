/** Edits that act later: whether the new value allows more than the old one did. A hidden value counts as weaker. */
import { hiddenAs, membersOf, type Change } from "./effect.js";
import { includesStep, stepsIn } from "../../resources/retention-policy/effects.js";

/** An input or an option of the engine that is another one. A value is undefined where it is not declared. */
export interface Edit {
  readonly property: string;
  readonly old: unknown;
  readonly fresh: unknown;
}

type IsWeaker = (edit: Edit, change: Pick<Change, "before" | "inputs">) => boolean;

const isLater: IsWeaker = ({ old, fresh }) => old !== undefined && !(daysIn(fresh) <= daysIn(old));

const namesFewer: IsWeaker = ({ old, fresh }) =>
  [old, fresh].some(hiddenAs) ||
  [old].flat().some((address) => address !== undefined && ![fresh].flat().includes(address));

const never: IsWeaker = () => false;

/** By property. Any other is sent, or of another version. */
export const weaker: Readonly<Record<string, IsWeaker>> = {
  mustInclude: namesFewer,
  mustExclude: namesFewer,
  rotateAfter: isLater,
  reassertAfter: isLater,
  reassertUnattended: ({ fresh }) => fresh === true || hiddenAs(fresh) !== undefined,
  allowShortening: ({ old, fresh }, { before, inputs }) => {
    // A step that this change takes is approved with it. A later change could take another one.
    const undone = membersOf(inputs.onDelete).retentionDays;
    const taken = [
      { from: before?.retentionDays, to: inputs.retentionDays },
      { from: inputs.retentionDays, to: undone },
    ];
    const known = [...stepsIn(old), ...stepsIn(taken)];
    return hiddenAs(fresh) !== undefined || stepsIn(fresh).some((step) => !includesStep(known, step));
  },
  onCreate: never,
  initialSecret: never,
  secretPath: never,
  onDelete: ({ fresh }, { inputs }) => actsOnDestroy(fresh, inputs),
  // The options of the engine.
  retainOnDelete: ({ fresh }, { inputs }) => fresh !== true && actsOnDestroy(inputs.onDelete, inputs),
  protect: ({ fresh }) => fresh !== true,
  // An ignored date is never due.
  ignoreChanges: ({ fresh }) => [fresh].flat().some((name) => /^(rotateOn|reassertOn|\*)$/.test(String(name))),
};

// The name may be any text, such as "constructor".
export const isWeaker: IsWeaker = (edit, change) =>
  Object.hasOwn(weaker, edit.property) && weaker[edit.property]?.(edit, change) === true;

/** Whether destroy may delete data, cut a trunk or change access. */
function actsOnDestroy(onDelete: unknown, inputs: Change["inputs"]): boolean {
  if (onDelete === undefined || onDelete === "retain") return false;
  const { retentionDays, enabled, sourceCidr, ...others } = membersOf(onDelete);
  if (hiddenAs(onDelete) || typeof onDelete !== "object") return true;
  if (retentionDays === undefined) return sourceCidr !== undefined || !("name" in others);
  return !(enabled === true && inputs.enabled === true && Number(retentionDays) >= Number(inputs.retentionDays));
}

const daysIn = (period: unknown): number =>
  typeof period === "string" && /^\d+d$/.test(period) ? Number(period.slice(0, -1)) : Number.NaN;
