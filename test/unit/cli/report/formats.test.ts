import { join } from "node:path";
import { format } from "../../../../src/cli/report/formats";
import { summaryOf } from "../../../../src/cli/report/describe";
import { risks } from "../../../../src/resources/effects/effect";
import { escapeMarkdown, markdownOf } from "../../../../src/cli/markdown";
import { plain } from "../../../../src/cli/report/text";
import { expectApproved } from "../../../support/approved";
import { growth } from "../../../support/calls";
import { eventsOf, digest, fromTo, recording, reportOf, stepAfter, stepOf } from "../../../support/recorded";

const quiet = {
  kind: "preview",
  complete: true,
  requestCount: 0,
  otherCount: 0,
  unfinishedCount: 0,
  isProgramChanged: false,
  risks: [],
} as const;

test("the terminal's form, without colors", async () => {
  expect(format(await reportOf(recording("due.digest")), "terminal")).toBe(
    `voiceplane preview: 2 requests: deletes data, rotates a secret

Risks

  ~  conversations: sends 30 days again (due 2026-08-29); replaces whatever was set elsewhere and may delete what is older
     deletes data
  ~  crm: rotates its signing secret (due 2026-11-20): the old secret stops working
     rotates a secret
`,
  );
});

test.each([
  ["created.digest", /^ {2}\+ {2}billing: adopted/m],
  ["edited.digest", /^ {2}~ {2}conversations: 30 → 60/m],
  ["destroyed.digest", /^ {2}- {2}recordings: no longer managed/m],
  ["replaced.digest", /^ {2}\+- crm, now/m],
])("the terminal's form marks %s with the engine's own signs", async (name, line) => {
  expect(format(await reportOf(recording(name)), "terminal")).toMatch(line);
});

test("the terminal's form shows risks in red, and names an update", async () => {
  const text = format(await reportOf(recording("up-with-preview.events")), "terminal", { colors: true });
  expect(text).toContain("\u001b[31mrotates a secret\u001b[39m");
  expect(text).toMatch(/voiceplane update: 7 requests, /);
});

test("what runs is named after the risks, in Markdown without a link or a mention, and counts as no change of the organization", async () => {
  const programChanges = [
    { file: "package.json", change: "changed" as const, keys: ["scripts", "@octocat\u001b[2J"] },
    { file: ".npmrc", change: "new" as const, keys: [] },
    { file: "a`b](http://x)", change: "removed" as const, keys: [] },
    ...Array.from({ length: 49 }, (_, index) => ({ file: `${index}.js`, change: "changed" as const, keys: [] })),
  ];
  const report = await reportOf(recording("edited.digest"), { programChanges });
  const markdown = format(report, "markdown");
  expect(markdown).toMatch(/^### .*, 2 other changes, what runs changed: deletes data/);
  expect(markdown).toContain(
    "\n\n#### What runs\n\n- package.json (scripts, @<!-- -->octocat\\\\u\\{1b\\}\\[2J)\n- .npmrc (new)\n- a'b\\](http:<!-- -->//x) (removed)\n- 0.js\n",
  );
  expect(markdown).toContain("- 46.js\n- and 2 more files\n\n#### Changes without a risk\n");
  expect(format(report, "terminal")).toContain(
    "\n\nWhat runs\n\n     package.json (scripts, @octocat\\u{1b}[2J)\n     .npmrc (new)\n",
  );
  expect(JSON.parse(format(report, "json"))).toMatchObject({
    version: 1,
    programChanges: [
      { file: "package.json", change: "changed", keys: ["scripts", "@octocat\\u{1b}[2J"] },
      ...programChanges.slice(1),
    ],
  });

  const unchanged = await reportOf(recording("unchanged.digest"), { programChanges });
  expect(unchanged).toMatchObject({ changeCount: 0, editCount: 0, risks: [] });
  expect(format(unchanged, "summary")).toBe("preview: no changes, what runs changed\n");
});

test("JSON has a version, every fact of the preview, the labels that --fail-on takes, and not the commit", async () => {
  const report = await reportOf(recording("due.digest"), { placeOf: () => "organization.yaml:1" });
  expectApproved(join(__dirname, "approved/due.json"), format(report, "json", { commit: "0123456789ab" }));
});

test("the Markdown form names the commit, and the line of a declaration", async () => {
  const report = await reportOf(recording("due.digest"), { placeOf: () => "organization.yaml:1" });
  const text = format(report, "markdown", { commit: "0123456789abcdef0123456789abcdef01234567" });
  expect(text).toContain("\n\nStack `dev` of `previews`, commit `0123456789ab`, at `http://127.0.0.1:8000`\n\n");
  expect(text).toContain(
    "the old secret stops working (`c0000000-0000-4000-8000-000000000001`, `organization.yaml:1`)\n",
  );
});

test("in Markdown, verbatim values cannot end their code or the folded block", async () => {
  const name = "a`b ````` </details> @octocat";
  const renamed = stepAfter("org-office", fromTo({}, { name: "HQ" }));
  const text = format(await reportOf(eventsOf(renamed).replaceAll("::org-office", `::org-${name}`)), "markdown");
  expect(text).toContain("- a'b ''''' \\</details\\> @<!-- -->octocat: sets the name");
  expect(text).toMatch(/\n(`{3,})text\nNetworkPolicy a.b .{5} <\/details> @octocat\n[^]*\n\1\n\n<\/details>\n$/);
});

test("the folded block stays within the size limit of a comment", async () => {
  const preview = digest("created.digest");
  const [step] = preview.steps.filter(({ urn }) => urn.endsWith("::org-office"));
  preview.steps = Array.from({ length: 500 }, (_, index) => ({
    op: "create",
    ...step,
    urn: `${step?.urn ?? ""}-${index}`,
  }));
  const [, folded = ""] = format(await reportOf(preview), "markdown").split("<details>");
  expect(folded.length).toBeLessThan(21_000);
  expect(folded).toMatch(/\nand \d{3} more\n```\n/);
});

test("a report of twice the renames is twice the work, not four times", async () => {
  const preview = digest("edited.digest");
  const { urn, oldState } = stepOf(preview, "org-office");
  const renames = (count: number): string => {
    const steps = Array.from({ length: count }, (_, index) => {
      const id = { networkPolicyId: `policy-${index}` };
      const state = { ...oldState, inputs: { ...oldState.inputs, ...id }, outputs: { ...oldState.outputs, ...id } };
      return [
        { op: "create", urn: `${urn}-${index}-new`, newState: state },
        { op: "delete", urn: `${urn}-${index}`, oldState: state },
      ];
    }).flat();
    return eventsOf({ ...preview, steps });
  };
  const report = async (text: string) => {
    expect(format(await reportOf(text), "markdown")).toContain("renamed to office-999-new");
  };
  // A comparison of each change with all others would be four times the work.
  expect(await growth(report, renames, 1000)).toBeLessThan(2.5);
});

test.each<[Partial<Parameters<typeof summaryOf>[0]>, string]>([
  [{ requestCount: 5, otherCount: 2 }, "5 requests, 2 other changes"],
  [{ requestCount: 1, otherCount: 1 }, "1 request, 1 other change"],
  [{ requestCount: 2 }, "2 requests"],
  [{ otherCount: 1 }, "no requests, 1 other change"],
  [{}, "no changes"],
  [{ complete: false }, "the preview failed"],
  [{ complete: false, isProgramChanged: true }, "the preview failed, what runs changed"],

  [
    { kind: "update", complete: false, unfinishedCount: 1, requestCount: 2 },
    "the update failed, 1 change did not finish; 2 requests",
  ],
])("the summary of %j", (facts, summary) => {
  expect(summaryOf({ ...quiet, ...facts })).toBe(summary);
});

test("a summary always fits into a commit status, and then names the worst labels", () => {
  const facts = { ...quiet, complete: false, requestCount: 12_345, otherCount: 678, risks };
  expect(summaryOf(facts)).toBe(
    "the preview failed; 12345 requests, 678 other changes: " +
      "sends the token elsewhere, deletes data, cuts a trunk, rotates a secret, 5 more",
  );
  expect(summaryOf({ ...facts, requestCount: 1e20, otherCount: 1e20, kind: "update" }).length).toBeLessThanOrEqual(140);
  expect(summaryOf({ ...facts, complete: true }).length).toBeLessThanOrEqual(131);
});

test.each([
  ["[x](https://evil.example)", "\\[x\\](https:<!-- -->//evil.example)"],
  ["<img src=x>", "\\<img src=x\\>"],
  ["@maintainers #1 GH-1 www.evil.example", "@<!-- -->maintainers #<!-- -->1 GH<!-- -->-1 www<!-- -->.evil.example"],
  ["a | b `c` *d* ~e~ \\", "a \\| b \\`c\\` \\*d\\* \\~e\\~ \\\\"],
  ["&lt;", "\\&lt;"],
])("%j is shown in Markdown unchanged", (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test.each([
  ["a\u001b[31m\nb", "a\\u{1b}[31m\\u{a}b"],
  ["\u202Eright to left", "\\u{202e}right to left"],
  ["", "(no name)"],
])("%j cannot control a terminal", (text, cleaned) => {
  expect(plain(text)).toBe(cleaned);
});

test.each([
  ["add `a: [b]` and *c*", "add `a: [b]` and \\*c\\*"],
  ["a lone ` stays text", "a lone \\` stays text"],
  ["`` is none", "\\`\\` is none"],
])("%j: text in backticks is code, and the rest is escaped", (text, markdown) => {
  expect(markdownOf(text)).toBe(markdown);
});
