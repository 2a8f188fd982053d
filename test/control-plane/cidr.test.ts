import { canonicalCidr, contains, isLoopback } from "../../src/control-plane/cidr";

test.each([
  ["203.0.113.0/24", "203.0.113.0/24"],
  ["203.0.113.77/24", "203.0.113.0/24"],
  ["10.255.255.255/9", "10.128.0.0/9"],
  ["10.1.2.3/0", "0.0.0.0/0"],
  ["10.1.2.3/32", "10.1.2.3/32"],
  ["2001:DB8:0:0::1/32", "2001:db8::/32"],
  ["2001:db8:ffff::1/33", "2001:db8:8000::/33"],
  ["::1/128", "::1/128"],
  ["1::/0", "::/0"],
  ["::ffff:1.2.3.4/112", "::ffff:102:0/112"],
])("%s is %s", (text, canonical) => {
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
  [""],
])("%j is no range", (text) => {
  expect(canonicalCidr(text)).toBeUndefined();
});

test("a range holds its own addresses and no other family's", () => {
  expect(contains("203.0.113.0/24", "203.0.113.255")).toBe(true);
  expect(contains("203.0.113.0/24", "203.0.114.0")).toBe(false);
  expect(contains("2001:db8::/32", "2001:db8:1::2")).toBe(true);
  expect(contains("::/0", "203.0.113.1")).toBe(false);
});

test.each([["127.0.0.1"], ["127.9.9.9"], ["::1"], ["::ffff:127.0.0.1"]])("%s is this machine", (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each([["192.0.2.1"], ["::ffff:192.0.2.1"], ["::"], ["0.0.0.0"], [""]])("%j is not this machine", (address) => {
  expect(isLoopback(address)).toBe(false);
});
