/** Due dates of many organizations, spread so that those adopted on one day do not all rotate on one day. */
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
  const places = 2 * reach + 1;
  return Math.min(days + reach, atMost) - (hashOf(organization) % places);
}

/** When an organization gets a full pass: between half of the days and all of them, so that not all have it in one night. */
export function fullPassDays(organization: string, days: number): number {
  return days * (1 - (hashOf(organization) % 1000) / 2000);
}

function hashOf(organization: string): number {
  return createHash("sha256").update(organization).digest().readUInt32BE();
}

export interface Suggestion {
  /** Such as "webhooks.crm". */
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Suggests another `rotateAfter` for each webhook that has exactly `days`. Values that differ from it stay, so a second run
 * suggests nothing.
 *
 * @returns the suggestions, and the file with them. Comments and layout stay.
 */
export function spreadFile(
  text: string,
  organization: string,
  days: number,
  atMost?: number,
): { readonly suggestions: Suggestion[]; readonly text: string } {
  const to = `${spreadDays(organization, days, atMost)}d`;
  const found = rotationsOf(text).filter(({ value }) => value.value === `${days}d` && to !== `${days}d`);
  const suggestions = found.map(({ path }) => ({ path, from: `${days}d`, to }));
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
