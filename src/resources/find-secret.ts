/** Finds a rotated secret in an answer whose shape the interface leaves open. */
import { unknownValue } from "../engine-values.js";

/** Names under which comparable servers answer a new secret, the most telling first. */
const names = ["signing_secret", "signingSecret", "new_secret", "newSecret", "secret", "key"];

/** Words for people, such as "rotated" under `data`, and names of things, such as under `key`, are not taken for secrets. */
const looksRandom = /^[\x21-\x7e]{16,}$/;

/** What servers show in place of a secret. */
const isMasked = /\*{3}|^(.)\1*$|(\.\.\.|\u2026)$/;

/**
 * The secret in `data`: at `path` if one is given (keys joined by dots), else `data` itself if it is a string, else the
 * first of the known names in it or in its member "webhook". Undefined if there is none.
 */
export function findSecret(data: unknown, path?: string): string | undefined {
  if (path !== undefined) return text(path.split(".").reduce(member, data));
  const places = [data, member(data, "webhook")];
  const named = names.flatMap((name) => places.map((place) => candidate(name, member(place, name))));
  return [candidate("key", data), ...named].find(isFound);
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
  // A character that could not be read is in no secret that works; the engine would take the other one for no value at all.
  return value.includes("\uFFFD") || value === unknownValue ? undefined : value;
}

function isFound(value: string | undefined): value is string {
  return value !== undefined;
}
