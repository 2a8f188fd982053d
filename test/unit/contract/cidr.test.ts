import { BlockList, isIP, SocketAddress } from "node:net";
import fc, { anyCharacter } from "../../support/properties";
import {
  canonicalCidr,
  containsRange,
  formatRange,
  overlaps,
  parseAddressOrCidr,
  parseCidr,
  type Range,
} from "../../../src/contract/cidr.js";

const ipv4 = fc.ipV4();
const ipv6 = fc.oneof(
  fc.ipV6(),
  // Addresses with long runs of zeros, which random ones rarely have.
  fc
    .array(fc.constantFrom("0", "0", "0", "1", "db8", "ffff"), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.join(":")),
);
const cidr4 = fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([address, prefix]) => `${address}/${prefix}`);
const cidr6 = fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })).map(([address, prefix]) => `${address}/${prefix}`);
const cidr = fc.oneof(cidr4, cidr6);

function read(text: string): Range {
  const range = parseAddressOrCidr(text);
  if (!range) throw new Error(`cannot read ${text}`);
  return range;
}

const addressOf = (text: string): string => text.slice(0, text.indexOf("/"));
const prefixOf = (text: string): number => Number(text.slice(text.indexOf("/") + 1));
const familyOf = (address: string) => (isIP(address) === 4 ? "ipv4" : "ipv6");

/** The result of node:net. */
function holds(range: string, address: string): boolean {
  const list = new BlockList();
  list.addSubnet(addressOf(range), prefixOf(range), familyOf(addressOf(range)));
  return list.check(address, familyOf(address));
}

/** Whether the range is one of IPv4, written as IPv6. */
const isMapped = (range: string): boolean =>
  range.includes(":") && prefixOf(range) >= 96 && holds("::ffff:0:0/96", addressOf(range));

test.each([
  ["203.0.113.7/24", "203.0.113.0/24"],
  ["255.255.255.255/0", "0.0.0.0/0"],
  ["10.0.0.1/32", "10.0.0.1/32"],
  ["2001:DB8::1/32", "2001:db8::/32"],
  ["::1/128", "::1/128"],
  ["ffff::/0", "::/0"],
  ["1:0:0:2:0:0:0:3/128", "1:0:0:2::3/128"],
  ["1:0:2:3:4:5:6:7/128", "1:0:2:3:4:5:6:7/128"],
  ["1:0:0:2:3:0:0:4/128", "1::2:3:0:0:4/128"],
  ["0:0:1:1:1:1:1:1/128", "::1:1:1:1:1:1/128"],
  ["1:1:1:1:1:1:0:0/128", "1:1:1:1:1:1::/128"],
  ["64:ff9b::192.0.2.33/128", "64:ff9b::c000:221/128"],
  ["10.255.255.255/9", "10.128.0.0/9"],
  ["2001:db8:ffff::1/33", "2001:db8:8000::/33"],
  ["::ffff:1.2.3.4/112", "::ffff:102:0/112"],
])("%s is written %s", (text, canonical) => {
  expect(canonicalCidr(text)).toBe(canonical);
});

test.each([
  ["10.0.0.0"],
  ["10/8"],
  ["10.0.0.0/33"],
  ["10.0.0.0/-1"],
  ["10.0.0.0/08"],
  ["10.0.0.0/8/8"],
  ["010.0.0.0/8"],
  ["10.0.0.0/8 "],
  ["::/129"],
  ["fe80::1%eth0/64"],
  ["10.0.0.0/２４"],
  ["10.0.0.0/"],
  ["10.0.0.0/255.0.0.0"],
  ["0x7f.0.0.1/8"],
  ["10.0.0.0/24\n"],
  [" 10.0.0.0/24"],
  [""],
])("%j is not a range", (text) => {
  expect(canonicalCidr(text)).toBeUndefined();
});

test("the canonical spelling is one for all addresses of a range, and node:net finds it in the same range", () => {
  fc.assert(
    fc.property(cidr, (text) => {
      const canonical = canonicalCidr(text) ?? "";
      expect(prefixOf(canonical)).toBe(prefixOf(text));
      expect(holds(text, addressOf(canonical))).toBe(true);
      const neighbour = addressOf(text).replace(/[\da-f]*$/i, "1");
      fc.pre(isIP(neighbour) !== 0 && holds(text, neighbour));
      expect(canonicalCidr(`${neighbour}/${prefixOf(text)}`)).toBe(canonical);
    }),
    { numRuns: 300 },
  );
});

test("an IPv6 address is written as node:net writes it", () => {
  fc.assert(
    fc.property(ipv6, (address) => {
      const spelling = new SocketAddress({ address, family: "ipv6" }).address;
      // libuv may write the last 32 bits as IPv4, which RFC 5952 leaves to it.
      fc.pre(!spelling.includes("."));
      expect(canonicalCidr(`${address}/128`)).toBe(`${spelling}/128`);
    }),
    { numRuns: 300 },
  );
});

test("a range contains the addresses that node:net's BlockList finds in it", () => {
  const near = fc
    .tuple(cidr, cidr)
    .chain(([a, b]) => fc.constantFrom([a, addressOf(a)] as const, [a, addressOf(b)] as const));
  fc.assert(
    fc.property(near, ([range, address]) => {
      fc.pre(isIP(addressOf(range)) === isIP(address) && !isMapped(`${address}/128`));
      expect(containsRange(read(range), read(address))).toBe(holds(range, address));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["203.0.113.0/24", "::ffff:203.0.113.7", true],
  ["203.0.113.0/24", "::ffff:203.0.114.7", false],
])("an IPv4 address equals its IPv6-mapped address: %s has %s: %s", (range, address, isIn) => {
  expect(containsRange(read(range), read(address))).toBe(isIn);
  expect(overlaps(read(address), read(range))).toBe(isIn);
});

// The interface does not say whether a server's IPv6 range also matches IPv4.
test.each([
  ["::/0", "::ffff:0:0/96"],
  ["::/64", "::ffff:0:0/96"],
  ["::ffff:0:0/90", "::ffff:0:0/96"],
  ["::ffff:203.0.113.0/120", "203.0.113.0/25"],
  ["::ffff:0:0/96", "0.0.0.0/0"],
])("%s may have an IPv4 address, and does not surely have it", (range, other) => {
  for (const address of ["203.0.113.7", "::ffff:203.0.113.7", "203.0.113.0/24", other]) {
    expect([address, containsRange(read(range), read(address))]).toEqual([address, false]);
    expect([address, overlaps(read(range), read(address))]).toEqual([address, true]);
    expect([address, overlaps(read(address), read(range))]).toEqual([address, true]);
  }
});

test("a range contains or overlaps another according to node:net's BlockList", () => {
  const shortened = fc
    .tuple(cidr, fc.nat(128))
    .map(([text, n]) => [text, `${addressOf(text)}/${n % (text.includes(":") ? 129 : 33)}`] as const);
  fc.assert(
    fc.property(fc.oneof(fc.tuple(cidr, cidr), shortened), ([textA, textB]) => {
      const [a, b] = [read(textA), read(textB)];
      const isOneFamily = familyOf(addressOf(textA)) === familyOf(addressOf(textB));
      const isIn = (outer: string, inner: string) =>
        prefixOf(outer) <= prefixOf(inner) && holds(outer, addressOf(inner));
      fc.pre(isOneFamily || !(isMapped(textA) || isMapped(textB)));
      expect(containsRange(a, b)).toBe(isOneFamily && isMapped(textA) === isMapped(textB) && isIn(textA, textB));
      fc.pre(isOneFamily);
      expect(overlaps(a, b)).toBe(isIn(textA, textB) || isIn(textB, textA));
      expect(overlaps(a, b)).toBe(overlaps(b, a));
    }),
    { numRuns: 300 },
  );
});

test("only addresses that node:net accepts are read, and no text throws", () => {
  const almost = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(..."0123456789abcf.:/%x- ".split(/(?=.)/)), maxLength: 24 }),
    fc.tuple(cidr, fc.nat(30), fc.constantFrom("", "0", " ", "/", ".", ":", "%1", "\n")).map(([text, at, more]) => {
      return text.slice(0, at) + more + text.slice(at);
    }),
  );
  fc.assert(
    fc.property(almost, (text) => {
      const range = parseAddressOrCidr(text);
      if (!range) {
        expect(canonicalCidr(text)).toBeUndefined();
        return;
      }
      const address = text.includes("/") ? addressOf(text) : text;
      expect(isIP(address)).toBe(range.family === 4 ? 4 : 6);
      expect(address).not.toContain("%");
      expect(range.prefix).toBeLessThanOrEqual(range.family === 4 ? 32 : 128);
      expect(parseCidr(formatRange(range))).toEqual(range);
    }),
    { numRuns: 1000 },
  );
});

test("a single address is a range of one", () => {
  expect(parseAddressOrCidr("192.0.2.1")).toEqual({ family: 4, first: 0xc0000201n, prefix: 32 });
  expect(parseAddressOrCidr("::1")).toEqual({ family: 6, first: 1n, prefix: 128 });
});
