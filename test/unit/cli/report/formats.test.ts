import { format } from "../../../../src/cli/report/formats";
import { summaryOf } from "../../../../src/cli/report/describe";
import { risks } from "../../../../src/cli/report/risks";
import { escapeMarkdown, markdownOf } from "../../../../src/cli/markdown";
import { plain } from "../../../../src/cli/report/text";
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

test("Markdown, with the worst risks first", async () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  expect(format(await reportOf(recording("edited.digest")), "markdown", { commit })).toBe(
    `### voiceplane preview: 7 requests, 2 other changes: deletes data, cuts a trunk, rotates a secret, narrows access, widens access, weakens a guard

Stack \`dev\` of \`previews\`, commit \`0123456789ab\`, at \`http://127.0.0.1:8000\`

#### Risks

- **deletes data**: recordings: 365 → 90 days; deletes what is older; \`allowShortening: { from: 365, to: 90 }\` allows the step
- **cuts a trunk**: carrier-a: clears its outbound credentials, which this provider cannot restore; destroy will leave it as it is (\`b0000000-0000-4000-8000-000000000001\`)
- **cuts a trunk**: carrier-b: clears its outbound credentials once more (trigger year changed), which this provider cannot restore (\`b0000000-0000-4000-8000-000000000002\`)
- **rotates a secret**: crm: rotates its signing secret (trigger quarter changed): the old secret stops working (\`c0000000-0000-4000-8000-000000000001\`)
- **narrows access**: office: admits 203.0.113.0/25, half of 203.0.113.0/24; may lock this pipeline out, as no \`mustInclude\` names its address; sets the name "HQ" instead of "Office"; destroy will leave it as last set (\`a0000000-0000-4000-8000-000000000001\`)
- **widens access**: runners: admits 2001:db8::/32, 65536 times 2001:db8::/48 (\`a0000000-0000-4000-8000-000000000002\`)
- **weakens a guard**: audit\\_events: destroy will turn the policy off: what happens to the data is up to the server

#### Changes without a risk

- conversations: 30 → 60 days

#### Other resources

- pulumi-nodejs:dynamic:Resource: update 1

<details>
<summary>What is declared, before and after</summary>

\`\`\`text
RetentionPolicy recordings
  ~ retentionDays: 365 => 90
  + allowShortening: { from: 365, to: 90 }
TrunkOutboundAuth carrier-a
  ~ cleared: false => true
  ~ onDelete: "clear" => "retain"
TrunkOutboundAuth carrier-b
  ~ triggers.year: 2026 => 2027
WebhookSecret crm
  ~ triggers.quarter: "2026-Q3" => "2026-Q4"
NetworkPolicy office
  ~ name: "Office" => "HQ"
  ~ onDelete: { sourceCidr: "203.0.113.0/25" } => "retain"
  ~ sourceCidr: "203.0.113.0/24" => "203.0.113.0/25"
NetworkPolicy runners
  ~ sourceCidr: "2001:db8::/48" => "2001:db8::/32"
RetentionPolicy audit_events
  ~ onDelete: "retain" => "disable"
RetentionPolicy conversations
  ~ retentionDays: 30 => 60
\`\`\`

</details>
`,
  );
});

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
  ["created.digest", /^ {2}\+ {2}carrier-a: tracked/m],
  ["edited.digest", /^ {2}~ {2}conversations: 30 → 60/m],
  ["destroyed.digest", /^ {2}- {2}recordings: no longer managed/m],
  ["replaced.digest", /^ {2}\+- crm, now/m],
])("the terminal's form marks %s with the engine's own signs", async (name, line) => {
  expect(format(await reportOf(recording(name)), "terminal")).toMatch(line);
});

test("the terminal's form shows risks in red", async () => {
  const text = format(await reportOf(recording("due.digest")), "terminal", { colors: true });
  expect(text).toContain("\u001b[31mrotates a secret\u001b[39m");
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

test("JSON has a version, every fact of the preview, and nothing else", async () => {
  const report = await reportOf(recording("due.digest"), { placeOf: () => "organization.yaml:1" });
  expect(report.changes[0]?.place).toBe("organization.yaml:1");
  expect(JSON.parse(format(report, "json", { commit: "0123456789ab" }))).toEqual({
    version: 1,
    summary: "2 requests: deletes data, rotates a secret",
    kind: "preview",
    complete: true,
    stack: "dev",
    project: "previews",
    addresses: ["http://127.0.0.1:8000"],
    requestCount: 2,
    changeCount: 2,
    editCount: 2,
    risks: ["deletes data", "rotates a secret"],
    changes: [
      {
        op: "update",
        type: "RetentionPolicy",
        name: "conversations",
        id: "conversations",
        organization: "example",
        text:
          "conversations: sends 30 days again (due 2026-08-29); replaces whatever was set elsewhere " +
          "and may delete what is older",
        risks: ["deletes data"],
        requests: 1,
        dueAlone: false,
        diff: [],
      },
      {
        op: "update",
        type: "WebhookSecret",
        name: "crm",
        id: "c0000000-0000-4000-8000-000000000001",
        organization: "example",
        text: "crm: rotates its signing secret (due 2026-11-20): the old secret stops working",
        risks: ["rotates a secret"],
        requests: 1,
        dueAlone: false,
        diff: [],
      },
    ],
    others: [],
    programChanges: [],
    errors: [],
    violations: [],
  });
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

test("a report takes time in proportion to its changes, also to renames", async () => {
  const preview = digest("edited.digest");
  const { urn, oldState } = stepOf(preview, "org-office");
  const renames = (count: number): string => {
    const steps = Array.from({ length: count }, (_, index) => {
      const id = { networkPolicyId: `policy-${index}` };
      const { inputs, outputs } = oldState;
      const state = { ...oldState, inputs: { ...inputs, ...id }, outputs: { ...outputs, ...id } };
      const [old, fresh] = [`${urn}-${index}`, `${urn}-${index}-new`];
      return [
        { op: "create", urn: fresh, newState: { ...state, urn: fresh } },
        { op: "delete", urn: old, oldState: { ...state, urn: old } },
      ];
    }).flat();
    return eventsOf({ ...preview, steps });
  };
  const microseconds = async (text: string): Promise<number> => {
    const before = process.cpuUsage();
    const report = format(await reportOf(text), "markdown");
    expect(report).toContain("renamed to office-499-new, and sends nothing for the old name");
    return process.cpuUsage(before).user;
  };
  const [few, many] = [renames(500), renames(5000)];
  // The first time, the compiler is slow.
  await microseconds(few);
  // A comparison of each change with all others takes a hundred times as long.
  expect((await microseconds(many)) / (await microseconds(few))).toBeLessThan(40);
}, 120_000);

test("the first line of every form for people names an update", async () => {
  const report = await reportOf(recording("up-with-preview.events"));
  expect(format(report, "markdown")).toMatch(/^### voiceplane update: 7 requests, /);
  expect(format(report, "terminal")).toMatch(/^voiceplane update: 7 requests, /);
  expect(format(report, "summary")).toMatch(/^update: 7 requests, /);
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

test("errors come first", async () => {
  expect(format(await reportOf(recording("lost-answers.events")), "terminal")).toMatch(
    /^voiceplane: the update failed, .*\n\nErrors\n\n {5}[^]*\n\nRisks\n/,
  );
});
