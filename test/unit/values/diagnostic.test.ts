import fc from "fast-check";
import { codes, type Code } from "../../../src/values/codes";
import {
  blockIn,
  blockText,
  warning,
  diagnosticIn,
  diagnosticText,
  inFile,
  ownerText,
  problem,
} from "../../../src/values/diagnostic";

test("a text says what is wrong, where, what to do, and the code", () => {
  const days = { ...problem("wrong-value", "must be a number", ["retention", "recordings", "days"]), advice: "See X." };
  expect(diagnosticText(days)).toBe("retention.recordings.days: must be a number\nSee X. [wrong-value]");
  const placed = inFile({ ...days, place: { line: 2, column: 23 } }, "organization.yaml");
  expect(diagnosticText({ ...placed, advice: undefined })).toBe(
    "organization.yaml:2:23 retention.recordings.days: must be a number [wrong-value]",
  );
  expect(diagnosticText(inFile(warning("uncertain", "it is unknown"), "organization.yaml"))).toBe(
    "it is unknown [uncertain]",
  );
});

test("a block has a line for each problem, and none that a value could add", () => {
  const problems = [problem("missing", "is missing", ["id"]), problem("unknown-property", "x\nmissing [missing]")];
  expect(blockText('Organization "acme"', problems)).toBe(
    'Organization "acme":\n  id: is missing [missing]\n  x\\u{a}missing [missing] [unknown-property]',
  );
});

test("a report reads a block as well, with whose problems they are", () => {
  const problems = [
    problem("missing", "is missing", ["webhooks", "crm", "id"]),
    problem("invalid-yaml", "has no anchor"),
  ];
  const owner = { type: "Organization", name: 'the "old"' };
  const heading = ownerText(owner.type, owner.name);
  expect(blockIn(blockText(heading, problems))).toEqual({ heading: `${heading}:`, owner, problems });
  expect(blockIn(blockText("the file is not valid", problems))).toEqual({
    heading: "the file is not valid:",
    problems,
  });
  expect(blockIn('Organization "acme":\n  canary')).toBeUndefined();
});

test("a report reads from a text what a provider has written into it", () => {
  const names = fc.array(fc.stringMatching(/^[\w-]+$/), { maxLength: 3 });
  const texts = fc.string().filter((text) => !/^[^\s:]*:/.test(text));
  const all = Object.keys(codes) as Code[];
  fc.assert(
    fc.property(fc.constantFrom(...all), names, texts, (code, path, text) => {
      const written = problem(code, text, path);
      expect(diagnosticIn(diagnosticText(written))).toEqual(written);
    }),
  );
});

test.each(["no more memory", "canary [E404]", "retentionDays: must be a number", "wrong [wrong-value] canary"])(
  "what others say is none of this package's diagnostics: %s",
  (text) => {
    expect(diagnosticIn(text)).toBeUndefined();
  },
);
