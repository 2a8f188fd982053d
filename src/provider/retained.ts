/**
 * `onDelete` and the engine's option `retainOnDelete`. Where destroy sends nothing, whoever registers the resource sets the option, so
 * that previews say so. The engine then never asks the provider to delete.
 */
import type { Problem, Values } from "../resources/lifecycle.js";

/** The input that says that the option was set because of `onDelete`. Its name hides it from previews, and is short: each row of state has it. */
export const retainedKey = "__kept";

export function destroySendsNothing({ onDelete = "retain" }: { readonly onDelete?: unknown }): boolean {
  return onDelete === "retain";
}

/** A transform runs after the option was set, so destroy would ignore its `onDelete`. */
export function lateOnDelete(inputs: Values): Problem[] {
  if (inputs[retainedKey] !== true || destroySendsNothing(inputs)) return [];
  const reason =
    "comes from a transform, which is too late: destroy would not do it. Write it in the resource's own arguments, or give " +
    "the resource the option retainOnDelete: false";
  return [{ property: "onDelete", reason }];
}
