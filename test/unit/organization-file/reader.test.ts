import { problemLines, readOrganizationFile } from "../../../src/organization-file/reader.js";
import { growth } from "../../support/calls";

/** The problems of a file, with the texts and places that a user sees. */
function problems(content: string | Uint8Array): readonly string[] {
  const reading = readOrganizationFile(content);
  return "problems" in reading ? problemLines(reading, "organization.yaml") : [];
}

const days = "a whole number of days from 1 to 3650";
const anId = 'a string without slashes or spaces around it, and not empty, "." or ".."';

const full = `
retention:
  recordings: { days: 90, enabled: true, onDelete: disable, allowShortening: { from: 365, to: 90 } }
  audit_events: { days: 2555, reassertAfter: 7d, onDelete: { retentionDays: 3650, enabled: false } }
networkPolicies:
  office:
    id: np-1
    name: Office
    sourceCidr: 203.0.113.0/24
    mustInclude: [203.0.113.7]
    mustExclude: ["2001:db8::/32"]
    onDelete: { sourceCidr: 203.0.0.0/16 }
trunks:
  carrier-a: { id: "00123", outboundAuth: cleared, triggers: { audit: 1 }, onDelete: clear }
  carrier-b: { id: t-2, outboundAuth: tracked }
webhooks:
  crm.v2: { id: w-1, rotateAfter: 90d, triggers: { quarter: 2026-Q4, urgent: true }, onCreate: "adopt", secretPath: a.b }
onCreate: overwrite
`;

test("a valid file is read as it is written", () => {
  expect(readOrganizationFile(full)).toEqual({
    organization: {
      onCreate: "overwrite",
      retention: {
        recordings: { days: 90, enabled: true, onDelete: "disable", allowShortening: { from: 365, to: 90 } },
        audit_events: { days: 2555, reassertAfter: "7d", onDelete: { retentionDays: 3650, enabled: false } },
      },
      networkPolicies: {
        office: {
          id: "np-1",
          name: "Office",
          sourceCidr: "203.0.113.0/24",
          mustInclude: ["203.0.113.7"],
          mustExclude: ["2001:db8::/32"],
          onDelete: { sourceCidr: "203.0.0.0/16" },
        },
      },
      trunks: {
        "carrier-a": { id: "00123", outboundAuth: "cleared", triggers: { audit: 1 }, onDelete: "clear" },
        "carrier-b": { id: "t-2", outboundAuth: "tracked" },
      },
      webhooks: {
        "crm.v2": {
          id: "w-1",
          rotateAfter: "90d",
          triggers: { quarter: "2026-Q4", urgent: true },
          onCreate: "adopt",
          secretPath: "a.b",
        },
      },
    },
  });
});

test.each([
  ["of an entry", "webhooks:\n  __proto__: { id: w-1, triggers: { a: 1 } }\n", "2:3"],
  ["of an entry that is nothing", "trunks:\n  __proto__:\n", "2:3"],
  ["of a section", "__proto__: { webhooks: 1 }\n", "1:1"],
  ["of a trigger", 'webhooks:\n  a: { id: w-1, triggers: { "__proto__": 1 } }\n', "2:29"],
  ["behind an alias", "webhooks:\n  a: { id: &p __proto__ }\n  *p : { id: w-2 }\n", "3:3"],
])("__proto__ as the name %s is refused at its place", (_what, text, place) => {
  expect(problems(text)).toEqual([`organization.yaml:${place} __proto__: cannot be a name here, choose another`]);
});

test("a trigger is a number if no digit is lost, and text in quotes", () => {
  const triggers = "{ a: 1, b: -2.5, c: 20261120, d: \"1.10\", e: '0x10', f: 1.10.1 }";
  expect(problems(`webhooks:\n  crm: { id: w-1, onCreate: adopt, triggers: ${triggers} }\n`)).toEqual([]);
});

test("an explicitly empty organization is valid", () => {
  expect(readOrganizationFile("{}")).toEqual({ organization: {} });
});

test.each(["", "\n\n", "# nothing yet\n"])("an empty file (%j) is refused as a probable mistake", (text) => {
  expect(problems(text)).toEqual(["organization.yaml:1:1 the file is empty: write {} to declare nothing"]);
});

test.each(["0", '"30"', "null"])("days: %s", (value) => {
  expect(problems(`retention:\n  recordings: { days: ${value} }\n`)).toEqual([
    // An empty value has no text, so the message points to its key.
    `organization.yaml:2:${value === "null" ? 17 : 23} retention.recordings.days: must be ${days}${value === '"30"' ? "; remove the quotes" : ""}`,
  ]);
});

test("quotes are named where they are the mistake, and only there", () => {
  const text = (value: string) => `retention:\n  recordings: { days: 30, enabled: ${value} }\n`;
  const problem = "organization.yaml:2:36 retention.recordings.enabled: must be true or false";
  expect(problems(text('"true"'))).toEqual([`${problem}; remove the quotes`]);
  expect(problems(text('"90"'))).toEqual([problem]);
  expect(problems(text('"yes"'))).toEqual([problem]);
});

test("a name may have letters and digits of every script, in the spelling that is one character for each letter", () => {
  const file = (name: string) => `webhooks:\n  ${name}: { id: w-1, onCreate: adopt }\n`;
  for (const name of ["Zürich", "東京-2", "Кассы", "मुंबई", "٣"]) expect(problems(file(name))).toEqual([]);
  for (const name of ["Zürich".normalize("NFD"), "a b", "a/b", "a::b", "☎"])
    expect(problems(file(name))).toEqual([expect.stringContaining('must be a map from names (letters, digits, "-"')]);
});

test.each([
  ["days are missing", "retention:\n  recordings: { enabled: true }\nonCreate: adopt\n", [
    `organization.yaml:2:15 retention.recordings.days: is missing: it must be ${days}`,
  ]],
  ["an unknown kind of data", "retention:\n  calls: { days: 30 }\n", [
    "organization.yaml:2:3 this key is not a property of retention; known are recordings, conversations, audit_events",
  ]],
  ["an unknown section", "retentions: {}\n", [
    "organization.yaml:1:1 retentions: is not a property of an organization file (did you mean retention?); known are onCreate, retention, networkPolicies, trunks, webhooks",
  ]],
  ["an unknown property", "webhooks:\n  crm:\n    id: w-1\n    rotateafter: 90d\n", [
    "organization.yaml:4:5 webhooks.crm.rotateafter: is not a property of webhooks.crm (did you mean rotateAfter?); known are id, onCreate, triggers, rotateAfter, secretPath",
  ]],
  ["a property with a known one in its name", "webhooks:\n  crm: { id: w-1, onCreate: adopt, rotateOnCreate: true }\n", [
    "organization.yaml:2:36 webhooks.crm.rotateOnCreate: is not a property of webhooks.crm (did you mean onCreate?); known are id, onCreate, triggers, rotateAfter, secretPath",
  ]],
  ["an id that is a number", "trunks:\n  a: { id: 00123, outboundAuth: cleared }\n", [
    `organization.yaml:2:12 trunks.a.id: must be ${anId}; YAML reads this one as a number, which loses zeros and digits: put it in quotes`,
  ]],
  ["a trigger that is a number with a zero at its end", "webhooks:\n  crm: { id: w-1, triggers: { id: 1.10, v: 1.1 }, onCreate: adopt }\n", [
    "organization.yaml:2:35 webhooks.crm.triggers.id: YAML reads this as another number: put it in quotes",
  ]],
  ["a trigger in another system of numbers, and one behind an alias", "trunks:\n  a: { id: t-1, outboundAuth: cleared, triggers: &t { v: 0x10 } }\nwebhooks:\n  b: { id: w-1, triggers: *t, onCreate: adopt }\n", [
    "organization.yaml:2:58 trunks.a.triggers.v: YAML reads this as another number: put it in quotes",
    "organization.yaml:2:58 webhooks.b.triggers.v: YAML reads this as another number: put it in quotes",
  ]],
  ["a trigger of many digits", "webhooks:\n  crm: { id: w-1, triggers: { v: 12345678901234567891 }, onCreate: adopt }\n", [
    "organization.yaml:2:34 webhooks.crm.triggers.v: YAML reads this as another number: put it in quotes",
  ]],
  ["no outboundAuth", "trunks:\n  a: { id: t-1 }\n", [
    'organization.yaml:2:6 trunks.a.outboundAuth: is missing: it must be "cleared" (the trunk has no outbound authentication) or "tracked" (its credentials are set elsewhere)',
  ]],
  ["a list where a map belongs", "webhooks:\n  - id: w-1\n", [
    'organization.yaml:2:3 webhooks: must be a map from names (letters, digits, "-", "_", ".") to webhooks',
  ]],
  ["a list as the whole file", "- a\n", [
    "organization.yaml:1:1 the file must be a map with onCreate, retention, networkPolicies, trunks and webhooks, each optional",
  ]],
  ["a section without anything in it", "retention:\nwebhooks: {}\n", [
    "organization.yaml:1:1 retention: must be a map from recordings, conversations or audit_events to a policy",
  ]],
  ["a policy of which nothing is declared", "networkPolicies:\n  a: { id: n, onCreate: adopt }\n", [
    "organization.yaml:2:6 networkPolicies.a: declare name, sourceCidr or both: otherwise there is nothing to manage",
  ]],
  ["a lock-out", "networkPolicies:\n  a:\n    id: n\n    sourceCidr: 10.0.0.0/8\n    mustInclude: [203.0.113.7]\nonCreate: adopt\n", [
    "organization.yaml:4:17 networkPolicies.a.sourceCidr: 10.0.0.0/8 does not contain 203.0.113.7, which mustInclude requires",
  ]],
  ["a destroy that shortens", "retention:\n  recordings:\n    days: 90\n    onDelete: { retentionDays: 30, enabled: true }\nonCreate: adopt\n", [
    "organization.yaml:4:32 retention.recordings.onDelete.retentionDays: 90 => 30 deletes recordings older than 30 days for good. If this is intended, add allowShortening: { from: 90, to: 30 }",
  ]],
  ["one object in two spellings", "onCreate: adopt\nwebhooks: { a: { id: w-a },\n  b: { id: W-A } }\n", [
    "organization.yaml:3:12 webhooks.b.id: is the object that webhooks.a declares already",
  ]],
  ["a webhook that does not say whether its secret ends", "webhooks:\n  a: { id: w-a }\n", [
    'organization.yaml:2:6 webhooks.a.onCreate: is missing: write "adopt" to keep the secret in use, or "rotate" to end it and learn a new one. `onCreate: adopt` at the top of the file adopts every new entry',
  ]],
  ["a policy that does not say whether it replaces what is set", "retention:\n  recordings: { days: 90 }\n", [
    'organization.yaml:2:15 retention.recordings.onCreate: is missing: write "overwrite" to send the setting, which replaces what the server has, or "adopt" to send nothing. `onCreate` at the top of the file is for all settings',
  ]],
  ["a webhook beside settings that are overwritten", "onCreate: overwrite\nwebhooks:\n  a: { id: w-a }\n", [
    'organization.yaml:3:6 webhooks.a.onCreate: is missing: write "adopt" to keep the secret in use, or "rotate" to end it and learn a new one. `onCreate: adopt` at the top of the file adopts every new entry',
  ]],
  ["onCreate at the top that would rotate everything", "onCreate: rotate\n", [
    'organization.yaml:1:11 onCreate: must be "overwrite" (the first update sends the setting, which replaces what the server has) or "adopt" (it sends nothing, because the server has the declared values)',
  ]],
  ["one key twice", "retention:\n  recordings: { days: 1 }\n  recordings: { days: 2 }\n", [
    "organization.yaml:3:3 the name here appears twice, but a name can be used once",
  ]],
  ["one name in two spellings", 'webhooks:\n  1: { id: w-1 }\n  "1": { id: w-2 }\n', [
    "organization.yaml:3:3 the name here appears twice, but a name can be used once",
  ]],
  ["a name with a space", 'retention:\n  "recordings ": { days: 90, onCreate: adopt }\n', [
    "organization.yaml:2:3 this key is not a property of retention (did you mean recordings?); " +
      "known are recordings, conversations, audit_events",
  ]],
  ["days beyond every number", "retention:\n  recordings: { days: 1e99, onCreate: adopt }\n", [
    `organization.yaml:2:23 retention.recordings.days: must be ${days}`,
  ]],
  ["a map as a name", "webhooks:\n  ? { password: hunter22 }\n  : { id: w-1 }\n", [
    "organization.yaml:2:5 a name is text, and this one is a map or a list",
  ]],
  ["a list as a name, behind an alias", "webhooks:\n  a: &list [hunter22]\n  *list : { id: w-1 }\n", [
    "organization.yaml:3:3 a name is text, and this one is a map or a list",
  ]],
  ["two documents", "{}\n---\n{}\n", [
    "organization.yaml:2:1 a second document begins here: remove it and the line of dashes, a file can have only one",
  ]],
  ["an unknown tag", "retention: !include other.yaml\n", ["organization.yaml:1:12 the tag here is not known: remove it"]],
  ["an alias without an anchor", "retention: *policies\n", [
    "organization.yaml:1:12 the alias here has no anchor: define the anchor before it",
  ]],
  ["an alias of what it is in", "retention: &all\n  recordings: *all\n", [
    "organization.yaml:2:15 the alias here is inside its own anchor",
  ]],
  ["an id that is all of the trunks", "trunks: &all\n  a: { id: *all, outboundAuth: cleared }\n", [
    "organization.yaml:2:12 the alias here is inside its own anchor",
  ]],
] as [string, string, string[]][])("%s: one message", (_name, text, expected) => {
  expect(problems(text)).toEqual(expected);
}); // prettier-ignore

test.each([
  ["in a list", "[".repeat(30_000), "1:101"],
  ["in a map", `trunks: ${"{ a: ".repeat(30_000)}`, "1:500"],
  ["line by line", `${Array.from({ length: 3_000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")}\n`, "100:101"],
  ["in dashes", "- ".repeat(30_000), "1:200"],
])("a file that is nested without end %s has one problem, at the level that is too deep", (_what, text, place) => {
  expect(problems(text)).toEqual([
    `organization.yaml:${place} maps and lists are nested here more than 100 levels deep`,
  ]);
});

test("aliases that nest without end have one problem", () => {
  const levels = Array.from({ length: 3_000 }, (_, level) => `a${level + 1}: &a${level + 1} { x: *a${level} }`);
  expect(problems(`a0: &a0 1\n${levels.join("\n")}\n`)).toEqual([
    "organization.yaml:1:1 the aliases expand to too many values: write out some of them",
  ]);
});

const manyWebhooks = (count: number, rest: string) =>
  Array.from({ length: count }, (_, index) => `  w${index}: { id: w-${index}, ${rest} }\n`).join("");

// It was four times while the work grew with the square of the entries.
describe("a file with twice the entries takes twice the work:", () => {
  test("wrong ones, of which the first 50 are shown and the others counted", async () => {
    const text = (count: number) => `webhooks:\n${manyWebhooks(count, "rotateAfter: soon")}`;
    const found = problems(text(1_200));
    expect(found).toHaveLength(51);
    expect(found[0]).toMatch(/^organization\.yaml:2:31 webhooks\.w0\.rotateAfter: must be /);
    expect(found[49]).toMatch(/^organization\.yaml:51:33 webhooks\.w49\.rotateAfter: must be /);
    expect(found[50]).toBe("and 1,150 more problems");
    expect(await growth(problems, text, 500)).toBeLessThan(2.5);
  });

  test("aliases", async () => {
    const text = (count: number) => `webhooks:\n  a: { id: &t w }\n${manyWebhooks(count, "secretPath: *t")}`;
    expect(problems(text(4_000))).toEqual([
      "organization.yaml:1:1 the aliases expand to too many values: write out some of them",
    ]);
    expect(await growth(problems, text, 500)).toBeLessThan(2.5);
  });
});

describe("characters", () => {
  test("a file in UTF-8 is read, with and without a byte order mark", () => {
    const text = "networkPolicies:\n  office: { id: np-1, name: Büro 👩‍💻, onCreate: adopt }\n";
    const expected = {
      organization: { networkPolicies: { office: { id: "np-1", name: "Büro 👩‍💻", onCreate: "adopt" } } },
    };
    expect(readOrganizationFile(Buffer.from(text))).toEqual(expected);
    expect(readOrganizationFile(Buffer.from(`\ufeff${text}`))).toEqual(expected);
  });

  test.each([
    ["Latin-1", Buffer.from("networkPolicies:\n  office: { id: np-1, name: Büro }\n", "latin1"), "2:30"],
    ["UTF-16", Buffer.from("\ufeffretention: {}\n", "utf16le"), "1:1"],
    ["UTF-8 that is cut", Buffer.from("retention: {} # ü").subarray(0, -1), "1:17"],
    ["UTF-8 with an encoded half of a character", Buffer.from([0x61, 0x3a, 0x20, 0xed, 0xa0, 0xbd]), "1:4"],
  ])("a file in %s is refused at the first wrong byte", (_what, bytes, place) => {
    expect(problems(bytes)).toEqual([`organization.yaml:${place} the file is not UTF-8 here: save the file as UTF-8`]);
  });

  const half = "has half of a character: write the whole character, or remove it";
  test.each([
    ["an id", 'webhooks:\n  a: { id: "w-\\ud83d" }\n', `2:12 webhooks.a.id: ${half}`],
    [
      "a trigger's name",
      'webhooks:\n  a: { id: w, triggers: { "\\ud83d": 1 } }\n',
      `2:27 webhooks.a.triggers: the name ${half}`,
    ],
    [
      "a list",
      'networkPolicies:\n  a: { id: n, mustInclude: [203.0.113.7, "\\ud83d"] }\n',
      `2:42 networkPolicies.a.mustInclude.1: ${half}`,
    ],
  ])("half of a character in %s is refused at its place", (_what, text, problem) => {
    expect(problems(text)).toContain(`organization.yaml:${problem}`);
  });

  test("both halves together are a character", () => {
    expect(problems('networkPolicies:\n  a: { id: n, name: "\\ud83d\\ude00", onCreate: adopt }\n')).toEqual([]);
  });

  test.each([
    ["an unknown key", '"a\\r::error::x": 1\n'],
    ["a key that is like a known one", '"retention\\r": 1\n'],
    ["a name", 'webhooks:\n  "a\\e[2J": { id: w }\n'],
    ["an anchor", "retention: *\u202epolicies\n"],
    ["a tag", "retention: !a%E2%80%AEb 1\n"],
    ["a name that is there twice", '"a\\u2028b": 1\n"a\\u2028b": 1\n'],
  ])("control characters in %s are not shown, or as escapes", (_what, text) => {
    const lines = problems(text);
    expect(lines).not.toEqual([]);
    expect(lines.join()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  test("control characters in the file's name are shown as escapes", () => {
    const reading = readOrganizationFile("a: 1");
    expect("problems" in reading && problemLines(reading, "a\u001b[2J.yaml")).toEqual([
      expect.stringMatching(/^a\\u\{1b\}\[2J\.yaml:1:1 this key is not/),
    ]);
  });
});

test("a YAML error is reported at its place", () => {
  expect(problems("retention:\n  recordings: { days: 30\nwebhooks: {}\n")[0]).toMatch(/^organization\.yaml:\d+:\d+ /);
  expect(problems("retention: 'unclosed\n")[0]).toMatch(/^organization\.yaml:\d+:\d+ Missing closing 'quote/);
  expect(problems("\tretention: {}\n")[0]).toMatch(/^organization\.yaml:1:\d+ /);
});

test.each([
  '[remote "origin"]\n  url = https://hush:hush@example.com\n',
  "[hush] hush: hush\n",
  "hush: |hush\n  hush\n",
  'hush: "\\hush"\n',
  "hush: !hush hush\n",
  "hush: @hush\n",
  "hush: [hush]hush\n",
  "hush: %hush\n",
  "hush: *hush\n",
  "- hush\nhush\n",
  "&hush &hush hush: 1\n",
  "hush: &hush [*hush]\n",
  "root:$hush:1::\nhush:*:2::\n",
  "hush: hush\nhush: hush\n",
  'hush: { hush: "\\ud83d" }\n',
  "retention: { hush: hush }\n",
  "webhooks: { hu sh: { hush: hush } }\n",
  "webhooks: { crm: { hush: hush, id: hush hush } }\n",
  "webhooks: { crm: { id: w-1, initialSecret: hush, onCreate: hush } }\n",
])("a file may be any file, so no message repeats a part of it: %j", (text) => {
  const found = problems(text);
  expect(found).not.toEqual([]);
  expect(found.join("\n")).not.toMatch(/hu ?sh/);
});

test("all problems are reported at once, in the order of the file", () => {
  const text = [
    "webhooks:",
    "  crm: { id: 7, rotateAfter: 3 months }",
    "retention:",
    "  recordings: { days: 0 }",
    "  calls: { days: 1 }",
  ].join("\n");
  expect(problems(text)).toEqual([
    `organization.yaml:2:14 webhooks.crm.id: must be ${anId}; YAML reads this one as a number, which loses zeros and digits: put it in quotes`,
    'organization.yaml:2:30 webhooks.crm.rotateAfter: must be a number of whole days from "1d" to "9999d", such as "90d"',
    `organization.yaml:4:23 retention.recordings.days: must be ${days}`,
    "organization.yaml:5:3 this key is not a property of retention; known are recordings, conversations, audit_events",
  ]);
});

test("anchors and aliases are allowed, and a problem below an alias is reported at its anchor", () => {
  const text = "retention:\n  recordings: &short { days: 30, onCreate: adopt }\n  conversations: *short\n";
  expect(readOrganizationFile(text)).toEqual({
    organization: {
      retention: { recordings: { days: 30, onCreate: "adopt" }, conversations: { days: 30, onCreate: "adopt" } },
    },
  });
  expect(problems(text.replace("30", "0"))).toEqual([
    `organization.yaml:2:30 retention.recordings.days: must be ${days}`,
    `organization.yaml:2:30 retention.conversations.days: must be ${days}`,
  ]);
});
