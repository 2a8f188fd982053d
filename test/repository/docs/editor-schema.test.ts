/** organization.schema.json, by which editors check an organization file: what it refuses, by another library than the one that wrote it. */
import Ajv from "ajv/dist/2020";
import { organizationSchema } from "../../../src/organization-file/schema";
import { read } from "../../support/repository";

const written = JSON.parse(read("organization.schema.json")) as object;
const isValidInEditor = new Ajv({ allowUnionTypes: true }).compile(written);
const id = "a0000000-0000-4000-8000-000000000001";
const range = (sourceCidr: string) => ({ networkPolicies: { office: { id, sourceCidr } } });
const inRange = (address: string) => ({
  onCreate: "overwrite",
  networkPolicies: { office: { id, sourceCidr: "0.0.0.0/0", mustInclude: [address] } },
});
const trunk = (text: string) => ({ trunks: { a: { id: text, outboundAuth: "cleared" } } });

const addresses = [
  ...["203.0.113.7", "0.0.0.0", "255.255.255.255", "2001:db8::", "::", "::1", "1::", "2001:db8:0:0:0:0:0:1"],
  ...["::ffff:203.0.113.7", "1:2:3:4:5:6:203.0.113.7", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "FE80::A:b"],
];
const wrongAddresses = [
  ...["", "office", "203.0.113", "203.0.113.256", "203.0.113.07", "010.0.0.1", " 203.0.113.7", "203.0.113.7\n", "fe80::1%eth0"],
  ...["1::2::3", "12345::", "2001:db8", "1:2:3:4:5:6:7:8:9", "::ffff:203.0.113.256", "g::"],
]; // prettier-ignore
const ids = ["a", "-", "crm", id, "a b", "a.b", "...", ".a", "a.", "é", "日本", "a".repeat(300)];
const wrongIds = ["", ".", "..", " ", " a", "a ", "a/b", "a\\b", "a\nb", "\u007f", "a\u0085"];
const prefixes = ["/0", "/8", "/24", "/32"];
const wrongPrefixes = ["", "/", "/33", "/024", "/-1", "/8/8", "/x"];

const right: [text: string, file: object][] = [
  ...addresses.map((text): [string, object] => [text, inRange(text)]),
  ...addresses.flatMap((text) => prefixes.map((prefix): [string, object] => [text + prefix, range(text + prefix)])),
  ["2001:db8::/128", range("2001:db8::/128")],
  ["2001:db8::/48", inRange("2001:db8::/48")],
  ...ids.map((text): [string, object] => [text, trunk(text)]),
];
const wrong: [text: string, file: object][] = [
  ...wrongAddresses.flatMap((text): [string, object][] => [
    [text, inRange(text)],
    [`${text}/8`, range(`${text}/8`)],
  ]),
  ...wrongPrefixes.map((prefix): [string, object] => [`10.0.0.0${prefix}`, range(`10.0.0.0${prefix}`)]),
  ["2001:db8::/129", range("2001:db8::/129")],
  ...wrongIds.map((text): [string, object] => [text, trunk(text)]),
  ["an empty name", { networkPolicies: { office: { id, name: " " } } }],
];

test.each(right)("accepts %j, as the preview does", (_text, file) => {
  expect(organizationSchema.safeParse(file).success).toBe(true);
  expect(isValidInEditor(file)).toBe(true);
});

test.each(wrong)("refuses %j, as the preview does", (_text, file) => {
  expect(organizationSchema.safeParse(file).success).toBe(false);
  expect(isValidInEditor(file)).toBe(false);
});

test("its patterns are for every editor: without lookaround, which some do not know", () => {
  const patterns = [...JSON.stringify(written).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, text = ""]) => JSON.parse(text) as string,
  );
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /\(\?[=!<]/.test(pattern))).toEqual([]);
});
