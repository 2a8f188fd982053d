import { format } from "../../../src/cli/report/formats";
import { summaryOf } from "../../../src/cli/report/summary";
import { escapeMarkdown, plain } from "../../../src/cli/report/text";
import { recording, reportOf } from "./recorded";

test("Markdown", async () => {
  expect(format(await reportOf(recording("edited.digest")), "markdown", true)).toBe(
    `### voiceplane: 9 changes: deletes data, cuts a trunk, rotates a secret, narrows access, widens access

#### Risks

- **deletes data**: recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted
- **cuts a trunk**: carrier-a loses its outbound credentials
- **cuts a trunk**: carrier-b loses its outbound credentials once more (trigger year changed)
- **rotates a secret**: crm's signing secret will be rotated (trigger quarter changed): today's secret stops working
- **narrows access**: office may be reached from 203.0.113.0/25, half of today's range; office is given the name "HQ" instead of "Office"
- **widens access**: runners may be reached from 2001:db8::/32, 65536 times today's range

#### Changes without a risk

- audit\\_events: onDelete changed; that is stored and nothing is sent
- conversations are kept 60 instead of 30 days

#### Other resources

- pulumi-nodejs:dynamic:Resource: 1 to update
`,
  );
});

test("the terminal's form, without colors", async () => {
  expect(format(await reportOf(recording("due.digest")), "terminal", false)).toBe(
    `voiceplane: 2 changes: rotates a secret

Risks

  ! crm's signing secret will be rotated (due 2026-11-20): today's secret stops working
    rotates a secret

Changes without a risk

  ~ conversations are set to 30 days again (due 2026-08-29): that undoes what was changed elsewhere
`,
  );
});

test("the terminal's form shows risks in red", async () => {
  const text = format(await reportOf(recording("due.digest")), "terminal", true);
  expect(text).toContain("\u001b[31mrotates a secret\u001b[39m");
});

test("JSON has a version and everything that the other forms tell", async () => {
  expect(JSON.parse(format(await reportOf(recording("due.digest")), "json", false))).toEqual({
    version: 1,
    summary: "2 changes: rotates a secret",
    kind: "preview",
    complete: true,
    changeCount: 2,
    editCount: 1,
    risks: ["rotates a secret"],
    changes: [
      {
        op: "update",
        type: "WebhookSecret",
        name: "crm",
        account: "example",
        text: "crm's signing secret will be rotated (due 2026-11-20): today's secret stops working",
        risks: ["rotates a secret"],
        dueAlone: false,
      },
      {
        op: "update",
        type: "RetentionPolicy",
        name: "conversations",
        account: "example",
        text: "conversations are set to 30 days again (due 2026-08-29): that undoes what was changed elsewhere",
        risks: [],
        dueAlone: true,
      },
    ],
    others: [],
    errors: [],
  });
});

test("the summary alone is one line", async () => {
  expect(format(await reportOf(recording("unchanged.digest")), "summary", false)).toBe("no changes\n");
});

test("errors come first in every form for people", async () => {
  const report = await reportOf(recording("refused.digest"));
  expect(format(report, "terminal", false)).toMatch(
    /^voiceplane: the preview failed\n\nErrors\n\n {2}~ pulumi-nodejs:/,
  );
});

test("a summary fits into a commit status even with everything in it", () => {
  const risks = [
    "deletes data",
    "cuts a trunk",
    "rotates a secret",
    "narrows access",
    "widens access",
    "leaves things behind",
  ] as const;
  const facts = { kind: "preview", complete: false, changeCount: 12_345, risks } as const;
  expect(summaryOf(facts)).toBe(
    "the preview failed; 12345 changes: deletes data, cuts a trunk, rotates a secret, narrows access, widens access, leaves things behind",
  );
  expect(summaryOf(facts).length).toBeLessThanOrEqual(140);
  expect(summaryOf({ ...facts, changeCount: 1e20 })).toHaveLength(140);
});

test.each([
  ["[x](https://evil.example)", "\\[x\\](https:<!-- -->//evil.example)"],
  ["<img src=x>", "\\<img src=x\\>"],
  ["@maintainers #1 GH-1 www.evil.example", "@<!-- -->maintainers #<!-- -->1 GH<!-- -->-1 www<!-- -->.evil.example"],
  ["a | b `c` *d* ~e~ \\", "a \\| b \\`c\\` \\*d\\* \\~e\\~ \\\\"],
  ["&lt;", "\\&lt;"],
])("%j is shown in Markdown as it is", (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test.each([
  ["a\u001b[31m\nb", "a [31m b"],
  ["\u202Eright to left", "right to left"],
  ["", "(no name)"],
])("%j cannot steer a terminal", (text, cleaned) => {
  expect(plain(text)).toBe(cleaned);
});
