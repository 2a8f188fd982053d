/** Helpers for any value or error. */

/** The properties of a resource, or any other object. */
export type Values = Record<string, unknown>;

export const isObject = (value: unknown): value is Values => hasMembers(value) && !Array.isArray(value);

/** Whether the value is an object or an array. */
export const hasMembers = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The value's members; none of a value without members. */
export const membersOf = (value: unknown): Values => (hasMembers(value) ? value : {});

/** The items that are there: undefined, and a condition that does not hold, are left out. */
export const compact = <T>(...items: readonly (T | undefined | false)[]): T[] =>
  items.filter((item): item is T => item !== undefined && item !== false);

/** The first item of each key. */
export function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const first = new Map<string, T>();
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return [...first.values()];
}

/** The JSON value; undefined if the text is not JSON. */
export const parseJson = (text: string): unknown => tried(() => JSON.parse(text) as unknown);

/** What `get` returns; undefined if it throws. */
export function tried<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** A text as it is, and any other value as JSON. `String` would throw for an object with a member `toString`, which an edited state may have. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "undefined" : JSON.stringify(value);
}

/** The text of this property, if its value is one. */
export function textIn(values: Values, key: string): string | undefined {
  const value = values[key];
  return typeof value === "string" ? value : undefined;
}

/** The message of any error, including one from another realm. */
export const messageOf = (error: unknown): string =>
  String(isObject(error) && "message" in error ? error.message : error);

/** The code of a system error, such as "ENOENT". */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && "code" in error ? String(error.code) : undefined;
}
