/**
 * IPv4 and IPv6 ranges, read strictly and written canonically. `node:net` refuses leading zeros ("010.0.0.1"), short forms
 * ("10/8") and white space, which some servers read as another address. Zones ("fe80::1%eth0") are refused here, because they are
 * valid on one machine only.
 */
import { isIPv4, isIPv6 } from "node:net";

export interface Range {
  readonly family: 4 | 6;
  /** The first address as a number, without host bits. */
  readonly first: bigint;
  readonly prefix: number;
}

const width = { 4: 32, 6: 128 } as const;

/** Reads "203.0.113.0/24" or "2001:db8::/48" and clears host bits; undefined for any other text. */
export function parseCidr(text: string): Range | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const digits = text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(digits)) return undefined;
  return rangeFrom(text.slice(0, slash), Number(digits));
}

/** Reads a range or a single address, which is a range of one. "::ffff:203.0.113.7" is the same address as "203.0.113.7". */
export function parseAddressOrCidr(text: string): Range | undefined {
  if (text.includes("/")) return parseCidr(text);
  const range = rangeFrom(text, undefined);
  return range && (unmapped(range) ?? range);
}

/** The canonical spelling: no host bits, IPv6 compressed as in RFC 5952. */
export function formatRange({ family, first, prefix }: Range): string {
  return `${family === 4 ? formatIPv4(first) : formatIPv6(first)}/${prefix}`;
}

/** The canonical spelling of a range in CIDR notation; undefined for any other text. */
export function canonicalCidr(text: string): string | undefined {
  const range = parseCidr(text);
  return range && formatRange(range);
}

/**
 * Whether every server takes every address of `inner` as one of `outer`. An IPv6 range such as "::/64" or "::ffff:203.0.113.0/120" spans
 * IPv4 addresses in their mapped form, but some servers compare an IPv4 address with IPv4 ranges only. So it does not contain them here.
 */
export function containsRange(outer: Range, inner: Range): boolean {
  return isMapped(outer) === isMapped(inner) && covers(outer, inner);
}

function covers(outer: Range, inner: Range): boolean {
  return (
    outer.family === inner.family &&
    outer.prefix <= inner.prefix &&
    clearHostBits(inner.first, outer.family, outer.prefix) === outer.first
  );
}

const isMapped = ({ family, first, prefix }: Range): boolean =>
  family === 6 && prefix >= 96 && first >> 32n === 0xffffn;

/** The IPv4 range of an IPv4-mapped IPv6 range (RFC 4291, 2.5.5.2); undefined for any other. */
export function unmapped(range: Range): Range | undefined {
  return isMapped(range) ? { family: 4, first: range.first & 0xffffffffn, prefix: range.prefix - 96 } : undefined;
}

/** An IPv4 range in its IPv4-mapped form; an IPv6 range as it is. */
function mapped(range: Range): Range {
  if (range.family === 6) return range;
  return { family: 6, first: (0xffffn << 32n) | range.first, prefix: range.prefix + 96 };
}

/** Whether two ranges may share an address. An IPv4 range is also compared in its mapped form with an IPv6 range. */
export function overlaps(a: Range, b: Range): boolean {
  const [one, other] = [mapped(a), mapped(b)];
  return covers(one, other) || covers(other, one);
}

function rangeFrom(address: string, prefix: number | undefined): Range | undefined {
  const family = isIPv4(address) ? 4 : isIPv6(address) && !address.includes("%") ? 6 : undefined;
  if (!family) return undefined;
  const bits = prefix ?? width[family];
  if (bits > width[family]) return undefined;
  const value = family === 4 ? readIPv4(address) : readIPv6(address);
  return { family, first: clearHostBits(value, family, bits), prefix: bits };
}

function clearHostBits(value: bigint, family: 4 | 6, prefix: number): bigint {
  const hostBits = BigInt(width[family] - prefix);
  return (value >> hostBits) << hostBits;
}

function readIPv4(address: string): bigint {
  return address.split(".").reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function readIPv6(address: string): bigint {
  const [before = [], after = []] = canonicalIPv6(address)
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function formatIPv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
}

function formatIPv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  return canonicalIPv6(groups.join(":"));
}

/** The URL parser writes IPv6 as in RFC 5952, and the IPv4 part of "::ffff:192.0.2.1" as two groups. */
function canonicalIPv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
