/**
 * What `onDelete` asks of a destroy. Where it sends nothing, whoever registers the resource sets the engine's option `retainOnDelete`, so that
 * previews say so. The engine then never asks the provider to delete.
 */

/** The `onDelete` of inputs or a state. Most states have none, which means "retain". */
export const onDeleteOf = <T>({ onDelete }: { readonly onDelete?: T }): NonNullable<T> | "retain" =>
  onDelete ?? "retain";

/** Whether destroy sends nothing. */
export const retains = (values: { readonly onDelete?: unknown }): boolean => onDeleteOf(values) === "retain";

/** The input that says that `retainOnDelete` was set because of `onDelete`. Its name hides it from previews, and is short: most states have it. */
export const retainedKey = "__kept";
