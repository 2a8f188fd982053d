import { unknownValue } from "../values.js";
/** Finds a rotated secret in an answer whose shape the interface leaves open. */

/** The members in which comparable servers return a new secret, the most specific first. */
const names = ["signing_secret", "signingSecret", "new_secret", "newSecret", "secret", "key"];

/** In `data` itself and under `key`, a word such as "rotated" or a name is no secret. */
const looksRandom = /^[\x21-\x7e]{16,}$/;

/** A placeholder that servers show in place of a secret. */
const isMasked = /\*{3}|^(.)\1*$|(\.\.\.|\u2026)$/;

/**
 * The secret in `data`: at `path` if one is given (keys joined by dots), else `data` itself if it is a string, else the
 * first of the known names in it or in its member "webhook". Undefined if there is none.
 */
export function findSecret(data: unknown, path?: string): string | undefined {
  if (path !== undefined) return text(path.split(".").reduce(member, data));
  const places = [data, member(data, "webhook")];
  const named = names.flatMap((name) => places.map((place) => candidate(name, member(place, name))));
  return [candidate("key", data), ...named].find((found) => found !== undefined);
}

function candidate(name: string, value: unknown): string | undefined {
  const found = text(value);
  if (found === undefined || isMasked.test(found)) return undefined;
  return name === "key" && !looksRandom.test(found) ? undefined : found;
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  // U+FFFD is a character that could not be decoded. The engine treats the other text as an unknown value.
  return value.includes("\uFFFD") || value === unknownValue ? undefined : value;
}
