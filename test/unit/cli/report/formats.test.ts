import { join } from "node:path";
import { formatReport, type Format } from "../../../../src/cli/report/formats";
import type { DescribeOptions } from "../../../../src/cli/report/describe";
import { summaryOf } from "../../../../src/cli/report/summary";
import { risks } from "../../../../src/lifecycle/effects/effect";
import { escapeMarkdown, markdownOf, safeText } from "../../../../src/cli/output";
import { testApproved } from "../../../support/approved";
import { growth } from "../../../support/calls";
import { eventsOf, digest, fromTo, madeAnew, recording, reportOf, stepAfter, stepOf } from "../../../support/recorded";

const quiet = {
  phase: "preview",
  complete: true,
  requestCount: 0,
  otherCount: 0,
  unfinishedCount: 0,
  isProgramChanged: false,
  risks: [],
} as const;

const programChanges = [
  { file: "package.json", change: "changed" as const, keys: ["scripts", "@octocat\u001b[2J"] },
  { file: ".npmrc", change: "new" as const, keys: [] },
  { file: "index.ts", change: "changed" as const, keys: [] },
  { file: "a`b](http://x)", change: "removed" as const, keys: [] },
];

const located = { commit: "0123456789abcdef0123456789abcdef01234567", placeOf: () => "organization.yaml:1" };

const shown =
  (name: string, form: Format, { commit, ...outside }: DescribeOptions & { commit?: string } = {}) =>
  async () =>
    formatReport(await reportOf(recording(name), outside), form, { commit });

testApproved(join(__dirname, "approved/formats.md"), {
  "for a terminal, without colors": shown("due.digest", "terminal"),
  "with the engine's own sign of a creation": shown("created.digest", "terminal"),
  "of a removal": shown("destroyed.digest", "terminal"),
  "of a replacement": shown("replaced.digest", "terminal"),
  "in Markdown, the commit, and the line of a declaration": shown("due.digest", "markdown", located),
  "in JSON, a version, every fact, the labels that --fail-on takes, and not the commit": shown(
    "due.digest",
    "json",
    located,
  ),
  "what runs is named after the risks": shown("edited.digest", "terminal", { programChanges }),
  "and in Markdown, without a link or a mention": shown("edited.digest", "markdown", { programChanges }),
  "it counts as no change of the organization": shown("unchanged.digest", "json", { programChanges }),
  "a warning is shown": async () =>
    formatReport(
      { ...(await reportOf(recording("unchanged.digest"))), warnings: ["voiceplane:tokn is not read"] },
      "terminal",
    ),
  "a long list is cut": shown("unchanged.digest", "terminal", {
    programChanges: Array.from({ length: 52 }, (_, index) => ({ file: `${index}.js`, change: "new", keys: [] })),
  }),
});

test("the terminal's form shows risks in red, and names an update", async () => {
  const text = formatReport(await reportOf(recording("up-created.events")), "terminal", { colors: true });
  expect(text).toContain("\u001b[31mrotates a secret\u001b[39m");
  expect(text).toMatch(/voiceplane update: 7 requests, /);
});

test("in Markdown, verbatim values cannot end their code or the folded block", async () => {
  const name = "a`b ````` </details> @octocat";
  const renamed = stepAfter("org-office", fromTo({}, { name: "HQ `````" }));
  const text = formatReport(await reportOf(eventsOf(renamed).replaceAll("::org-office", `::org-${name}`)), "markdown");
  expect(text).toContain("**: a'b ''''' \\</details\\> @<!-- -->octocat: sends 203.0.113.0/24 again");
  expect(text).toMatch(/\n(`{6,})text\nNetworkPolicy a.b .{5} <\/details> @octocat\n[^]*\n\1\n\n<\/details>\n$/);
});

test("the folded block stays within the size limit of a comment", async () => {
  const preview = digest("edited.digest");
  const office = stepOf(preview, "org-office");
  preview.steps = Array.from({ length: 500 }, (_, index) => ({ ...office, urn: `${office.urn}-${index}` }));
  const [, folded = ""] = formatReport(await reportOf(preview), "markdown").split("<details>");
  expect(folded.length).toBeLessThan(21_000);
  expect(folded).toMatch(/\nand \d{3} more\n```\n/);
});

test("in Markdown, a report fits into a comment: the worst risks come first, and the number of the others is said", async () => {
  const preview = digest("created.digest");
  const crm = preview.steps.filter(({ urn }) => urn.endsWith("::org-crm"));
  const rotations = Array.from({ length: 700 }, (_, index) =>
    crm.map((step) => ({ ...step, urn: `${step.urn}-${index}` })),
  );
  preview.steps = [...rotations.flat(), ...preview.steps];
  const report = await reportOf(preview);
  const text = formatReport(report, "markdown");
  expect(text.length).toBeLessThan(65_000);
  const [, risks = ""] = text.split("#### Risks\n\n");
  expect(risks).toMatch(/^- \*\*deletes data\*\*, /);
  const shown = risks.split("\n").filter((line) => line.includes("rotates its signing secret")).length;
  expect(shown).toBeGreaterThan(300);
  const left = report.changes.filter((change) => change.risks.length > 0).length - risks.split("\n- **").length;
  expect(text).toContain(`\n- and ${left} more, which do not fit into a comment\n`);
  expect(formatReport(report, "terminal").split("rotates its signing secret").length).toBe(702);
});

test("in Markdown, errors and warnings of any length leave room for the risks", async () => {
  const report = await reportOf(recording("created.digest"));
  const long = Array.from({ length: 50 }, () => "@ ".repeat(500));
  const text = formatReport({ ...report, errors: long, warnings: long, uncertain: long, notBegun: long }, "markdown");
  expect(text.length).toBeLessThan(65_000);
  expect(text.match(/^- and \d+ more, which do not fit into a comment$/gm)).toHaveLength(4);
  expect(text).toContain("- **cuts a trunk**: ");
  expect(text).toContain("<summary>What is declared, before and after</summary>");
});

test("of the changes that an update did not begin, 50 are listed, and the number of the others is said", async () => {
  const notBegun = Array.from({ length: 52 }, (_, index) => `update ${index}`);
  const report = { ...(await reportOf(recording("up-created.events"))), complete: false, notBegun };
  expect(formatReport(report, "terminal")).toContain("     update 49\n     and 2 more\n");
});

test("of the keys of a file that runs, 50 are named, and the number of the others is said", async () => {
  const keys = Array.from({ length: 52 }, (_, index) => `key${index}`);
  const report = await reportOf(recording("unchanged.digest"), {
    programChanges: [{ file: "package.json", change: "changed", keys }],
  });
  expect(formatReport(report, "terminal")).toContain(", key49, and 2 more)\n");
});

test("a report of twice the renames is twice the work, not four times", async () => {
  const preview = digest("edited.digest");
  const { urn, oldState } = stepOf(preview, "org-office");
  const renames = (count: number): string => {
    const steps = Array.from({ length: count }, (_, index) => {
      const id = { networkPolicyId: `policy-${index}` };
      const state = { ...oldState, inputs: { ...oldState.inputs, ...id }, outputs: { ...oldState.outputs, ...id } };
      const step = { op: "", urn: `${urn}-${index}`, oldState: state, newState: state };
      return madeAnew(step, `${step.urn}-new`);
    });
    return eventsOf({ ...preview, steps: steps.flat() });
  };
  const report = async (text: string) => {
    expect(formatReport(await reportOf(text), "terminal")).toContain("renamed to office-999-new");
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
  [{ isProgramChanged: true }, "no changes, what runs changed"],
  [{ complete: false, isProgramChanged: true }, "the preview failed, what runs changed"],
  [
    { phase: "update", complete: false, unfinishedCount: 1, requestCount: 2 },
    "the update failed, 1 change did not finish; 2 requests",
  ],
  [{ phase: "update", requestCount: 2, uncertain: ["crm", "billing"] }, "2 uncertain; 2 requests"],
])("the summary of %j", (facts, summary) => {
  expect(summaryOf({ ...quiet, ...facts })).toBe(summary);
});

test("a summary always fits into a commit status, and then names the worst labels", () => {
  const facts = { ...quiet, complete: false, requestCount: 12_345, otherCount: 678, risks };
  expect(summaryOf(facts)).toBe(
    "the preview failed; 12345 requests, 678 other changes: " +
      `sends the token elsewhere, deletes data, cuts a trunk, rotates a secret, ${risks.length - 4} more`,
  );
  expect(summaryOf({ ...facts, requestCount: 1e20, otherCount: 1e20, phase: "update" }).length).toBeLessThanOrEqual(
    140,
  );
  expect(summaryOf({ ...facts, complete: true }).length).toBeLessThanOrEqual(131);
});

test.each([
  [escapeMarkdown, "[x](https://evil.example)", "\\[x\\](https:<!-- -->//evil.example)"],
  [escapeMarkdown, "<img src=x>", "\\<img src=x\\>"],
  [escapeMarkdown, "@maintainers #1 GH-1", "@<!-- -->maintainers #<!-- -->1 GH<!-- -->-1"],
  [escapeMarkdown, "www.evil.example", "www<!-- -->.evil.example"],
  [escapeMarkdown, "_www.evil.example", String.raw`\_www<!-- -->.evil.example`],
  [escapeMarkdown, "a | b `c` *d* ~e~ \\", "a \\| b \\`c\\` \\*d\\* \\~e\\~ \\\\"],
  [escapeMarkdown, "&lt;", "\\&lt;"],
  [safeText, "a\u001b[31m\nb", "a\\u{1b}[31m\\u{a}b"],
  [safeText, "\u202Eright to left", "\\u{202e}right to left"],
  [safeText, "", "(no name)"],
  [markdownOf, "add `a: [b]` and *c*", "add `a: [b]` and \\*c\\*"],
  [markdownOf, "a lone ` stays text", "a lone \\` stays text"],
  [markdownOf, "`` is none", "\\`\\` is none"],
])("%p lets %j have no effect", (show, text, shown) => {
  expect(show(text)).toBe(shown);
});
