/** The three forms of a report, its summary, and what decides exit codes. */
import { join } from "node:path";
import { formatReport, type Format } from "../../../../src/cli/report/formats";
import { exitCodeOf, failOnIn, stoppedBy } from "../../../../src/cli/commands/preview";
import { summaryOf } from "../../../../src/cli/report/report";
import { escapeMarkdown, markdownOf, safeText } from "../../../../src/cli/output";
import { testApproved } from "../../../support/approved";
import { digest, eventsOf, fromTo, recording, reportOf, stepAfter } from "../../../support/recorded";

const placeOf = () => "organization.yaml:1";
const shown = (name: string, form: Format) => async () =>
  formatReport(await reportOf(recording(name), { placeOf }), form);

testApproved(join(__dirname, "approved/formats.md"), {
  "for a terminal, without colors, with the engine's signs": shown("edited.digest", "terminal"),
  "in Markdown, with the line of a declaration": shown("due.digest", "markdown"),
  "in JSON, a version, every fact, and the labels that --fail-on takes": shown("due.digest", "json"),
});

test("the terminal's form shows risks in red", async () => {
  const text = formatReport(await reportOf(recording("created.digest")), "terminal", true);
  expect(text).toContain("\u001b[31mrotates a secret\u001b[39m");
});

test("in Markdown, verbatim values cannot end their code, or mention anybody", async () => {
  const name = "a`b ````` </details> @octocat";
  const renamed = stepAfter("org-office", fromTo({}, { name: "HQ `````" }));
  const text = formatReport(await reportOf(eventsOf(renamed).replaceAll("::org-office", `::org-${name}`)), "markdown");
  expect(text).toContain("**: a'b ''''' \\</details\\> @<!-- -->octocat: sets `name: \"Office\" → \"HQ '''''\"");
});

test("in Markdown, a report fits into a comment: the worst risks come first, and the number of the others is said", async () => {
  const preview = digest("created.digest");
  const crm = preview.steps.filter(({ urn }) => urn.endsWith("::org-crm"));
  const rotations = Array.from({ length: 900 }, (_, index) =>
    crm.map((step) => ({ ...step, urn: `${step.urn}-${index}` })),
  );
  preview.steps = [...rotations.flat(), ...preview.steps];
  const report = await reportOf(preview);
  const text = formatReport({ ...report, uncertain: Array.from({ length: 900 }, () => "x".repeat(99)) }, "markdown");
  expect(text.length).toBeLessThan(65_000);
  expect(text).toMatch(/\n\n#### Risks\n\n- \*\*deletes data\*\*, /);
  expect(text.split("rotates its signing secret").length).toBeGreaterThan(200);
  expect(text).toMatch(/\n- and \d+ more lines, which do not fit into a comment\n$/);
  expect(formatReport(report, "terminal").split("rotates its signing secret").length).toBe(902);
});

const quiet = { complete: true, requestCount: 0, risks: [], uncertain: [] } as const;

test.each<[facts: Partial<Parameters<typeof summaryOf>[0]>, silentCount: number, summary: string]>([
  [
    { requestCount: 5, risks: ["deletes data", "cuts a trunk"] },
    2,
    "5 requests, 2 other changes: deletes data, cuts a trunk",
  ],
  [{ requestCount: 1 }, 1, "1 request, 1 other change"],
  [{}, 1, "no requests, 1 other change"],
  [{}, 0, "no changes"],
  [{ complete: false }, 0, "the preview failed"],
  [{ requestCount: 2, uncertain: ["crm", "billing"] }, 0, "2 uncertain; 2 requests"],
])("the summary of %j and %i others", (facts, silentCount, summary) => {
  expect(summaryOf({ ...quiet, ...facts }, silentCount)).toBe(summary);
});

const outcome = { complete: true, changeCount: 1, editCount: 0, risks: ["deletes data"] } as const;

test.each<[failOn: string, code: number]>([
  ["changes", 2],
  ["risks", 2],
  ["edits", 0],
  ["deletes-data", 2],
  ["rotates-a-secret", 0],
  ["rotates-a-secret,deletes-data", 2],
])("--fail-on %s of a risk that is only sent again", (failOn, code) => {
  expect(exitCodeOf(outcome, failOnIn(failOn))).toBe(code);
});

test("a failed preview never passes, and the words that stop are named", () => {
  expect(exitCodeOf({ ...outcome, complete: false })).toBe(1);
  expect(stoppedBy(outcome, failOnIn("risks", failOnIn("edits")))).toEqual(["risks"]);
  expect(() => failOnIn("none")).toThrow(
    /^It takes one of these, or several joined by commas: changes, risks, edits, /,
  );
});

test.each([
  [escapeMarkdown, "[x](https://evil.example)", "\\[x\\](https:<!-- -->//evil.example)"],
  [escapeMarkdown, "<img src=x>", "\\<img src=x\\>"],
  [escapeMarkdown, "@maintainers #1 GH-1", "@<!-- -->maintainers #<!-- -->1 GH<!-- -->-1"],
  [escapeMarkdown, "_www.evil.example", String.raw`\_www<!-- -->.evil.example`],
  [escapeMarkdown, "a | b `c` *d* ~e~ \\", "a \\| b \\`c\\` \\*d\\* \\~e\\~ \\\\"],
  [escapeMarkdown, "&lt;", "\\&lt;"],
  [safeText, "a\u001b[31m\nb", "a\\u{1b}[31m\\u{a}b"],
  [safeText, "\u202Eright to left", "\\u{202e}right to left"],
  [safeText, "", "(no name)"],
  [markdownOf, "add `a: [b]` and *c*", "add `a: [b]` and \\*c\\*"],
  [markdownOf, "a lone ` stays text", "a lone \\` stays text"],
])("%p lets %j have no effect", (show, text, shownText) => {
  expect(show(text)).toBe(shownText);
});
