import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placesIn, placesInText } from "../../../src/organization-file/places";
import { temporaryFolder } from "../../support/folders";
import { recording, reportOf } from "../../support/recorded";

const file = `retention:
  recordings:
    allowShortening: { from: 365, to: 90 }
    days: 90
  conversations: { days: 60 }
networkPolicies:
  office: &office
    id: a0000000-0000-4000-8000-000000000001
    name: HQ
    sourceCidr: 203.0.113.0/25
  # Another policy than the stack's, under its name.
  runners: { id: a0000000-0000-4000-8000-000000000009, sourceCidr: 2001:db8::/32 }
trunks:
  carrier-a:
    id: b0000000-0000-4000-8000-000000000001
    outboundAuth: cleared
webhooks: { crm: { id: c0000000-0000-4000-8000-000000000001, onCreate: rotate } }
`;

const placed = async (name: string, text: string) => {
  const { changes } = await reportOf(recording(name), { placeOf: placesInText(text, "eu.yaml") });
  return Object.fromEntries(changes.map((change) => [change.name, change.place]));
};

test("a change points to the first edited line, or to the line of its entry", async () => {
  expect(await placed("edited.digest", file)).toEqual({
    recordings: "eu.yaml:3",
    conversations: "eu.yaml:5",
    audit_events: undefined,
    office: "eu.yaml:9",
    runners: undefined,
    "carrier-a": "eu.yaml:16",
    "carrier-b": undefined,
    crm: "eu.yaml:17",
  });
});

test("a file's name is shown with escapes", async () => {
  const { changes } = await reportOf(recording("edited.digest"), {
    placeOf: placesInText(file, "eu\r::error::x.yaml"),
  });
  expect(changes[0]?.place).toMatch(/^eu\\u\{d\}::error::x\.yaml:\d+$/);
});

test("a created resource points to the line of its entry, and a removed one to none", async () => {
  expect((await placed("created.digest", file)).office).toBe("eu.yaml:7");
  expect(Object.values(await placed("destroyed.digest", file)).filter(Boolean)).toEqual([]);
});

test("an entry that is an alias is read as its target", async () => {
  const text = file.replace("office: &office", "shared: &office").replace("trunks:", "  office: *office\ntrunks:");
  expect((await placed("created.digest", text)).office).toBe("eu.yaml:13");
});

test.each(["", "[", "- a\n- b\n", "retention: 3\n", "*nothing\n"])(
  "a file that is invalid, %j, has no lines",
  async (text) => {
    expect(Object.values(await placed("edited.digest", text)).filter(Boolean)).toEqual([]);
  },
);

describe("of the file that the stack's configuration names", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "project/stacks"), { recursive: true });
  writeFileSync(join(folder, "project/organization.yaml"), file);
  writeFileSync(join(folder, "project/stacks/eu.yaml"), file);
  writeFileSync(join(folder, "outside.yaml"), file);
  symlinkSync("/dev/zero", join(folder, "project/endless.yaml"));

  const place = async (name: string) => {
    const { changes } = await reportOf(recording("created.digest"), {
      placeOf: placesIn(join(folder, "project"), name),
    });
    return changes.find((change) => change.name === "office")?.place;
  };

  test.each([
    ["organization.yaml", "organization.yaml:7"],
    ["stacks/eu.yaml", "stacks/eu.yaml:7"],
    ["missing.yaml", undefined],
    ["stacks", undefined],
    ["../outside.yaml", undefined],
    [join(folder, "outside.yaml"), undefined],
    ["endless.yaml", undefined],
  ])("%s", async (name, line) => {
    expect(await place(name)).toBe(line);
  });
});

test("an error of an entry names the line of the argument, or of the entry", async () => {
  const errors = async (text: string) =>
    (await reportOf(recording("refused.digest"), { placeOf: placesInText(text, "eu.yaml") })).errors;
  // A recorded error that names the argument, and one that names none.
  expect((await errors(file))[0]).toMatch(/^recordings \(eu\.yaml:4\): days: 365 => 90 /);
  expect((await errors(file.replace("    days: 90\n", "")))[0]).toMatch(/^recordings \(eu\.yaml:2\): /);
  expect((await errors("trunks: {}\n"))[0]).toMatch(/^recordings: days: /);
});

test("a program in YAML: the argument of a resource or of an Organization's entry, else its name", () => {
  const text = `name: acme
resources:
  org:
    type: voiceplane:Organization
    properties:
      retention:
        recordings:
          days: 90
      webhooks: { crm: { id: "\${crmId}", onCreate: rotate } }
  alone:
    type: voiceplane:RetentionPolicy
    properties: { resource: conversations,
      retentionDays: 60 }
`;
  const placeOf = placesInText(text, "Pulumi.yaml", true);
  const retention = { type: "RetentionPolicy", id: "recordings" };
  const entry = { ...retention, organization: "org", key: "recordings", name: "org-recordings" };
  const crm = { type: "WebhookSecret", organization: "org", key: "crm", name: "org-crm", id: "c", edited: [] };
  expect([
    placeOf({ ...entry, edited: ["retentionDays"] }),
    placeOf({ ...entry, edited: [] }),
    placeOf(crm),
    placeOf({ ...crm, organization: "other" }),
    placeOf({ ...retention, name: "alone", edited: ["enabled", "retentionDays"] }),
    placeOf({ ...retention, name: "alone", edited: [] }),
    placeOf({ ...retention, name: "gone", edited: [] }),
  ]).toEqual([
    "Pulumi.yaml:8",
    "Pulumi.yaml:7",
    "Pulumi.yaml:9",
    undefined,
    "Pulumi.yaml:13",
    "Pulumi.yaml:10",
    undefined,
  ]);
});
