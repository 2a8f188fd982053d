import { mostSimilar, partOf, suggestion } from "../../../src/schema/suggestion";

const settingNames = ["baseUrl", "token", "organization", "allowInsecureHttp", "organizationFile"];

test.each([
  ["tokne", ": did you mean token?"],
  ["organisation", ": did you mean organization?"],
  ["baseUrls", ": did you mean baseUrl?"],
  ["baseURL", ": did you mean baseUrl?"],
  ["organisationFile", ": did you mean organizationFile?"],
  ["allow", ": did you mean allowInsecureHttp?"],
  ["org", ""],
  ["url", ""],
  ["toString", ""],
  ["", ""],
  ["o", ""],
  ["orgz", ""],
])("%j%s", (word, expected) => {
  expect(suggestion(word, settingNames)).toBe(expected);
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
