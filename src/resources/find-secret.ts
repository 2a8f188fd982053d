/** Finds a rotated secret in an answer whose shape the interface leaves open. */

/** Names under which comparable servers answer a new secret, the most telling first. */
const names = ["signing_secret", "signingSecret", "new_secret", "newSecret", "secret", "key"];

/**
 * The secret in `data`: at `path` if one is given (keys joined by dots), else `data` itself if it is a string, else the
 * first of the known names in it, then in its member "webhook". Undefined if there is none.
 */
export function findSecret(data: unknown, path?: string): string | undefined {
  if (path !== undefined) return text(path.split(".").reduce(member, data));
  const places = [data, member(data, "webhook")];
  return text(data) ?? places.flatMap((place) => names.map((name) => text(member(place, name)))).find(isFound);
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isFound(value: string | undefined): value is string {
  return value !== undefined;
}
