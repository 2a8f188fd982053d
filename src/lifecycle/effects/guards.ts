/** Guards: inputs and options that are not sent and act later. A new value loosens its guard if it allows more than before, or is hidden. */
import { isObject, type Values } from "../../values/any.js";
import { hiddenAs, type ObjectChange } from "./risk.js";

/** The `onDelete` of inputs or a state. Most states have none, which means "retain". */
export const onDeleteOf = <T>({ onDelete }: { readonly onDelete?: T }): NonNullable<T> | "retain" =>
  onDelete ?? "retain";

/**
 * Whether destroy sends nothing. Then whoever registers the resource sets the engine's option `retainOnDelete`, so that previews say so, and the
 * engine never asks the provider to delete.
 */
export const retains = (values: { readonly onDelete?: unknown }): boolean => onDeleteOf(values) === "retain";

/** A changed input, or a changed option of the engine. A value is undefined where it is not declared. */
export interface Edit {
  readonly property: string;
  readonly old: unknown;
  readonly fresh: unknown;
}

type OfObject = Pick<ObjectChange, "before" | "inputs">;

export type Loosens = (edit: Edit, change: OfObject) => boolean;

export const never: Loosens = () => false;

/** A period that becomes longer, or is removed. */
export const isLonger: Loosens = ({ old, fresh }) => old !== undefined && !(daysIn(fresh) <= daysIn(old));

/**
 * The guards of a resource: its own, those of every resource, and the options of the engine.
 *
 * @param isHarmless whether the request of a destroy with these inputs, whose `onDelete` is an object, has no risk
 */
export function guardsOf(
  own: Readonly<Record<string, Loosens>>,
  isHarmless: (inputs: Values) => boolean = () => false,
): Readonly<Record<string, Loosens>> {
  const mayHarm = (onDelete: unknown, { inputs }: OfObject): boolean => {
    if (retains({ onDelete })) return false;
    return !isObject(onDelete) || hiddenAs(onDelete) !== undefined || !isHarmless({ ...inputs, onDelete });
  };
  return {
    onCreate: never,
    reassertAfter: isLonger,
    onDelete: ({ fresh }, change) => mayHarm(fresh, change),
    retainOnDelete: ({ fresh }, change) => fresh !== true && mayHarm(change.inputs.onDelete, change),
    protect: ({ fresh }) => fresh !== true,
    ...own,
  };
}

/** Whether an edit loosens a guard. A property that is no guard is sent, or is one of another version of this package. */
export function loosens(guards: Readonly<Record<string, Loosens>>, edit: Edit, change: OfObject): boolean {
  // The name may be any text, such as "constructor".
  const guard = Object.hasOwn(guards, edit.property) ? guards[edit.property] : undefined;
  return guard?.(edit, change) === true;
}

const daysIn = (period: unknown): number =>
  typeof period === "string" && /^\d+d$/.test(period) ? Number(period.slice(0, -1)) : Number.NaN;
