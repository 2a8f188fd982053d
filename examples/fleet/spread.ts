/** Spreads the due dates and full passes of many organizations, so that not all have them in one night. */
import { createHash } from "node:crypto";
import { isMap, isScalar, parseDocument, type Scalar } from "yaml";

/**
 * The days for an organization: always the same for its name, at most a twelfth above or below `days`, such as 83 to 97
 * for 90.
 *
 * @param atMost the largest number that is allowed, for example by a policy. The range then ends there, and is as wide.
 */
export function spreadDays(organization: string, days: number, atMost = Infinity): number {
  const reach = Math.floor(Math.min(days, atMost) / 12);
  return Math.min(days + reach, atMost) - (hashOf(organization) % (2 * reach + 1));
}

/** After how many days an organization gets a full pass: between half of them and all. */
export const fullPassDays = (organization: string, days: number): number =>
  days * (1 - (hashOf(organization) % 1000) / 2000);

const hashOf = (name: string): number => createHash("sha256").update(name).digest().readUInt32BE();

/**
 * Suggests another `rotateAfter` for each webhook that has exactly `days`, so a second run suggests nothing. Returns the
 * suggestions, and the file with them. Comments and layout stay.
 */
export function spreadFile(text: string, organization: string, days: number, atMost?: number) {
  const [from, to] = [`${days}d`, `${spreadDays(organization, days, atMost)}d`];
  const found = rotationsOf(text).filter(({ value }) => value.value === from && to !== from);
  const suggestions = found.map(({ path }) => ({ path, from, to }));
  // From the end, so that the places before it stay right.
  const changed = found.reverse().reduce((rest, { value }) => {
    const [start = 0, end = 0] = value.range ?? [];
    return `${rest.slice(0, start)}${to}${rest.slice(end)}`;
  }, text);
  return { suggestions, text: changed };
}

function rotationsOf(text: string): { path: string; value: Scalar }[] {
  const webhooks = parseDocument(text).get("webhooks");
  if (!isMap(webhooks)) return [];
  return webhooks.items.flatMap(({ key, value }) => {
    const rotateAfter: unknown = isMap(value) ? value.get("rotateAfter", true) : undefined;
    return isScalar(rotateAfter) ? [{ path: `webhooks.${String(key)}`, value: rotateAfter }] : [];
  });
}
