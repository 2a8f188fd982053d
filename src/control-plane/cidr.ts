import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** The range in its one canonical spelling, host bits masked; undefined where `text` is not a CIDR range. */
export function canonicalCidr(text: string): string | undefined {
  const [address, prefixText, ...rest] = text.split("/");
  if (address === undefined || prefixText === undefined || rest.length > 0) return undefined;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefixText) || address.includes("%")) return undefined;
  const prefix = Number(prefixText);
  if (isIPv4(address) && prefix <= 32) return `${maskIPv4(address, prefix)}/${prefix}`;
  if (isIPv6(address) && prefix <= 128) return `${maskIPv6(address, prefix)}/${prefix}`;
  return undefined;
}

/** @param range a CIDR range as {@link canonicalCidr} gives it */
export function contains(range: string, address: string): boolean {
  const [network = "", prefix] = range.split("/");
  // BlockList would find every IPv4 address in ::/0.
  if (isIP(network) !== isIP(address)) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), isIPv4(network) ? "ipv4" : "ipv6");
  return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** The machine's own addresses, also as IPv6 sockets spell IPv4. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return isIP(plain) !== 0 && (contains("127.0.0.0/8", plain) || contains("::1/128", plain));
}

function maskIPv4(address: string, prefix: number): string {
  return masked(address.split(".").map(Number), 8, prefix).join(".");
}

function maskIPv6(address: string, prefix: number): string {
  const groups = masked(groupsOf(address), 16, prefix);
  return compressed(groups.map((group) => group.toString(16)).join(":"));
}

/** Keeps the first `prefix` bits of `parts`, which hold `width` bits each. */
function masked(parts: readonly number[], width: number, prefix: number): number[] {
  return parts.map((part, index) => {
    const kept = Math.min(Math.max(prefix - index * width, 0), width);
    return part & ~((1 << (width - kept)) - 1);
  });
}

function groupsOf(address: string): number[] {
  const [head = "", tail] = compressed(address).split("::");
  const parse = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return parse(head);
  const left = parse(head);
  const right = parse(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

/** The URL parser spells IPv6 canonically: lower case, the longest run of zeros as "::", an embedded IPv4 in hex. */
function compressed(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
