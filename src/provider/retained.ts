/**
 * `onDelete` and the engine's option `retainOnDelete`. Where destroy sends nothing, whoever registers the resource sets the option, so
 * that previews say so. The engine then never asks the provider to delete.
 */

/** The input that says that the option was set because of `onDelete`. Its name hides it from previews, and is short: each row of state has it. */
export const retainedKey = "__kept";

export function destroySendsNothing({ onDelete = "retain" }: { readonly onDelete?: unknown }): boolean {
  return onDelete === "retain";
}
