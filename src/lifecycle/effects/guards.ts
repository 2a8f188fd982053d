/** Edits that act later: whether the new value allows more than the old one did. A hidden value counts as looser. */
import { retains } from "../on-delete.js";
import { hiddenAs, membersOf, type Change } from "./effect.js";

/** An input or an option of the engine that is another one. A value is undefined where it is not declared. */
export interface Edit {
  readonly property: string;
  readonly old: unknown;
  readonly fresh: unknown;
}

export type Loosens = (edit: Edit, change: Pick<Change, "before" | "inputs">) => boolean;

export const never: Loosens = () => false;

export const isLater: Loosens = ({ old, fresh }) => old !== undefined && !(daysIn(fresh) <= daysIn(old));

export const namesFewer: Loosens = ({ old, fresh }) =>
  [old, fresh].some(hiddenAs) ||
  [old].flat().some((address) => address !== undefined && ![fresh].flat().includes(address));

/** What every resource has, and the options of the engine. */
export const commonGuards: Readonly<Record<string, Loosens>> = {
  onCreate: never,
  reassertAfter: isLater,
  reassertUnattended: ({ fresh }) => fresh === true || hiddenAs(fresh) !== undefined,
  onDelete: ({ fresh }, { inputs }) => actsOnDestroy(fresh, inputs),
  retainOnDelete: ({ fresh }, { inputs }) => fresh !== true && actsOnDestroy(inputs.onDelete, inputs),
  protect: ({ fresh }) => fresh !== true,
  // An ignored date is never due.
  ignoreChanges: ({ fresh }) => [fresh].flat().some((name) => /^(rotateOn|reassertOn|\*)$/.test(String(name))),
};

/** An edit of another property is sent, or is of another version of this package. */
export function loosens(own: Readonly<Record<string, Loosens>>, edit: Edit, change: Parameters<Loosens>[1]): boolean {
  // The name may be any text, such as "constructor".
  const guards = [own, commonGuards].find((each) => Object.hasOwn(each, edit.property));
  return guards?.[edit.property]?.(edit, change) === true;
}

/** Whether destroy may delete data, cut a trunk or change access. */
function actsOnDestroy(onDelete: unknown, inputs: Change["inputs"]): boolean {
  if (retains({ onDelete })) return false;
  const { retentionDays, enabled, sourceCidr, ...others } = membersOf(onDelete);
  if (hiddenAs(onDelete) || typeof onDelete !== "object") return true;
  if (retentionDays === undefined) return sourceCidr !== undefined || !("name" in others);
  return !(enabled === true && inputs.enabled === true && Number(retentionDays) >= Number(inputs.retentionDays));
}

const daysIn = (period: unknown): number =>
  typeof period === "string" && /^\d+d$/.test(period) ? Number(period.slice(0, -1)) : Number.NaN;
