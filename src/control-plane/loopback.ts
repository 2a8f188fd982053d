import { contains, parseAddressOrCidr } from "../cidr.js";

const own = ["127.0.0.0/8", "::1"].flatMap((text) => parseAddressOrCidr(text) ?? []);

/** The machine's own addresses, also as IPv6 sockets spell IPv4. */
export function isLoopback(address: string): boolean {
  const range = parseAddressOrCidr(address.replace(/^::ffff:/i, ""));
  return range !== undefined && own.some((loopback) => contains(loopback, range));
}
