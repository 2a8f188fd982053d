/** What a file declares, and each problem of one that is wrong: its place and its text are in approved/problems.md. */
import { diagnosticText, inFile } from "../../../src/values/diagnostic";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readOrganizationFile } from "../../../src/organization-file/reader.js";
import { testApproved } from "../../support/approved";

/** The problems of a file, with the texts and places that a user sees. */
function problems(content: string | Uint8Array): readonly string[] {
  const reading = readOrganizationFile(content);
  return "problems" in reading ? reading.problems.map((each) => diagnosticText(inFile(each, "organization.yaml"))) : [];
}

/** What a valid file declares. */
function declared(content: string | Uint8Array): unknown {
  const reading = readOrganizationFile(content);
  return "organization" in reading ? reading.organization : reading;
}

const full = `
retention:
  recordings: { days: 90, enabled: true, onDelete: disable, allowShortening: { from: 365, to: 90 } }
  audit_events: { days: 2555, reassertAfter: 7d, onDelete: { retentionDays: 3650, enabled: false } }
networkPolicies:
  office: { id: np-1, name: Büro 👩‍💻, sourceCidr: 203.0.113.0/24, mustInclude: [203.0.113.7], mustExclude: ["2001:db8::/32"] }
trunks:
  carrier-a: { id: "00123", outboundAuth: cleared, triggers: { audit: 1, loss: -2, b: "1.10" }, onDelete: clear }
webhooks:
  crm.v2: { id: w-1, rotateAfter: 90d, triggers: { quarter: 2026-Q4, urgent: true }, onCreate: "adopt", secretPath: a.b }
onCreate: overwrite
`;

test("a valid file is read as it is written, with and without a byte order mark", () => {
  const organization = {
    onCreate: "overwrite",
    retention: {
      recordings: { days: 90, enabled: true, onDelete: "disable", allowShortening: { from: 365, to: 90 } },
      audit_events: { days: 2555, reassertAfter: "7d", onDelete: { retentionDays: 3650, enabled: false } },
    },
    networkPolicies: {
      office: {
        ...{ id: "np-1", name: "Büro 👩‍💻", sourceCidr: "203.0.113.0/24" },
        ...{ mustInclude: ["203.0.113.7"], mustExclude: ["2001:db8::/32"] },
      },
    },
    trunks: {
      "carrier-a": {
        ...{ id: "00123", outboundAuth: "cleared", onDelete: "clear" },
        triggers: { audit: 1, loss: -2, b: "1.10" },
      },
    },
    webhooks: {
      "crm.v2": {
        ...{ id: "w-1", rotateAfter: "90d", onCreate: "adopt", secretPath: "a.b" },
        triggers: { quarter: "2026-Q4", urgent: true },
      },
    },
  };
  for (const text of [full, Buffer.from(full), Buffer.from(`\ufeff${full}`)])
    expect(declared(text)).toEqual(organization);
});

test.each<[string, string, object]>([
  ["an explicitly empty organization", "{}", {}],
  [
    "numbers as triggers of which no digit is lost",
    "webhooks: { a: { id: w, onCreate: adopt, triggers: { c: 20261120, e: '0x10', f: 1.10.1 } } }",
    { webhooks: { a: { id: "w", onCreate: "adopt", triggers: { c: 20261120, e: "0x10", f: "1.10.1" } } } },
  ],
  ["a section with nothing but comments", "trunks: {}\nwebhooks:\n  # crm: { id: x }\n", { trunks: {}, webhooks: {} }],
  [
    "anchors and aliases",
    "retention:\n  recordings: &short { days: 30, onCreate: adopt }\n  conversations: *short\n",
    { retention: { recordings: { days: 30, onCreate: "adopt" }, conversations: { days: 30, onCreate: "adopt" } } },
  ],
  [
    "both halves of a character",
    'networkPolicies: { a: { id: n, name: "\\ud83d\\ude00", onCreate: adopt } }',
    { networkPolicies: { a: { id: "n", name: "😀", onCreate: "adopt" } } },
  ],
])("valid are %s", (_what, text, organization) => {
  expect(declared(text)).toEqual(organization);
});

test("a name may have letters and digits of every script", () => {
  const file = (name: string) => `webhooks:\n  ${name}: { id: w-1, onCreate: adopt }\n`;
  for (const name of ["Zürich", "Zürich".normalize("NFD"), "東京-2", "Кассы", "मुंबई", "٣"])
    expect(problems(file(name))).toEqual([]);
  for (const name of ["a b", "a/b", "a::b", "☎"])
    expect(problems(file(name))).toEqual([expect.stringContaining('must be a map from names (letters, digits, "-"')]);
});

test("what would end a secret, delete data, or lock the operator out is refused", () => {
  expect(problems("onCreate: overwrite\nwebhooks:\n  a: { id: w-a }\n")).toEqual([
    'organization.yaml:3:6 webhooks.a.onCreate: is missing: write "adopt" to keep the secret in use, or "rotate" to end it and learn a ' +
      "new one. `onCreate: adopt` at the top of the file adopts every new entry [missing]",
  ]);
  expect(problems("onCreate: rotate\n")).toEqual([
    'organization.yaml:1:11 onCreate: must be "overwrite" (the first update sends the setting, which replaces what the server has) or ' +
      '"adopt" (it sends nothing, because the server has the declared values) [wrong-value]',
  ]);
  const shortening = "onDelete: { retentionDays: 30, enabled: true }, onCreate: adopt";
  expect(problems(`retention:\n  recordings: { days: 90, ${shortening} }\n`)).toEqual([
    "organization.yaml:2:54 retention.recordings.onDelete.retentionDays: 90 => 30 deletes recordings older than 30 days for good. " +
      "If this is intended, add `allowShortening: { from: 90, to: 30 }` [retention-shortened]",
  ]);
  const lockout = "id: n, sourceCidr: 10.0.0.0/8, mustInclude: [203.0.113.7], onCreate: adopt";
  expect(problems(`networkPolicies:\n  a: { ${lockout} }\n`)).toEqual([
    "organization.yaml:2:27 networkPolicies.a.sourceCidr: 10.0.0.0/8 does not contain 203.0.113.7, which mustInclude requires [wrong-range]",
  ]);
});

/** Each section has a file, and the problems that it has. For a new one, write its name and the file, and let `jest -i -u` add the problems. */
const page = join(__dirname, "approved/problems.md");
const wrong = [...readFileSync(page, "utf8").matchAll(/^## (.+)\n\n```yaml\n([^]*?)```$/gm)];

testApproved(
  page,
  Object.fromEntries(
    wrong.map(([, name = "", text = ""]) => [
      name,
      () => Promise.resolve(`\`\`\`yaml\n${text}\`\`\`\n\n- ${problems(text).join("\n- ")}`),
    ]),
  ),
);

test.each(["[".repeat(30_000), "- ".repeat(30_000)])("a file that is nested without end is refused", (text) => {
  expect(problems(text)[0]).toMatch(/ \[invalid-yaml\]$/);
});

test.each([
  ["Latin-1", Buffer.from("networkPolicies:\n  office: { id: np-1, name: Büro }\n", "latin1")],
  ["UTF-16", Buffer.from("\ufeffretention: {}\n", "utf16le")],
  ["UTF-8 that is cut", Buffer.from("retention: {} # ü").subarray(0, -1)],
  ["UTF-8 with an encoded half of a character", Buffer.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0xbd])],
])("a file in %s is refused", (_what, bytes) => {
  expect(problems(bytes)).toEqual([
    "organization.yaml:1:1 the file is not UTF-8: save the file as UTF-8 [file-unreadable]",
  ]);
});

test.each([
  '"a\\r::error::x": 1\n',
  '"retention\\r": 1\n',
  'webhooks:\n  "a\\e[2J": { id: w }\n',
  "retention: *\u202epolicies\n",
  "retention: !a%E2%80%AEb 1\n",
  '"a\\u2028b": 1\n"a\\u2028b": 1\n',
])("control characters are not shown, or as escapes: %j", (text) => {
  const reading = readOrganizationFile(text);
  const lines =
    "problems" in reading ? reading.problems.map((each) => diagnosticText(inFile(each, "a\u001b[2J.yaml"))) : [];
  expect(lines[0]).toMatch(/^a\\u\{1b\}\[2J\.yaml:\d:/);
  expect(lines.join()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test.each([
  '[remote "origin"]\n  url = https://hush:hush@example.com\n',
  "a: |hush\n  hush\n",
  'a: "\\hush"\n',
  "a: !hush hush\n",
  "a: @hush\n",
  "a: [hush]hush\n",
  "a: %hush\n",
  "a: *hush\n",
  "- hush\nhush\n",
  "a: &hush [*hush]\n",
  "webhooks: { crm: { id: hush hush, onCreate: hush } }\n",
  "webhooks: { crm: { id: w-1, initialSecret: hush hush, onCreate: hush } }\n",
])("a file may be any file, so no message repeats a value of it: %j", (text) => {
  const found = problems(text);
  expect(found).not.toEqual([]);
  expect(found.join("\n")).not.toMatch(/hush/);
});
