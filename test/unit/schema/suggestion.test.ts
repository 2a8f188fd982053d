import { mostSimilar, partOf } from "../../../src/schema/suggestion";

const names = ["baseUrl", "token", "organization", "allowInsecureHttp", "organizationFile"];

test.each([
  ["tokne", "token"],
  ["organisation", "organization"],
  ["baseURL", "baseUrl"],
  ["organisationFile", "organizationFile"],
  ["allow", undefined],
  ["url", undefined],
  ["toString", undefined],
  ["", undefined],
])("%j is similar to %j", (word, expected) => {
  expect(mostSimilar(word, names)).toBe(expected);
});

test("a word as long as a file is compared with nothing", () => {
  expect(mostSimilar("onCreate".repeat(100_000), ["onCreate"])).toBeUndefined();
});

test("of two similar properties the closer one is meant", () => {
  expect(mostSimilar("mustExclde", ["mustInclude", "mustExclude"])).toBe("mustExclude");
});

test("a longer name means the property that it contains, if there is one such property", () => {
  expect(partOf("rotateOnCreate", ["onCreate", "rotateAfter"])).toBe("onCreate");
  expect(partOf("nameOfTrunkId", ["name", "trunkId"])).toBeUndefined();
});
