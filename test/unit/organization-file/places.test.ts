import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentIn } from "../../../src/cli/pulumi/project";
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

test("a change points to the first edited line, or to the line of its entry, and a removed one to none", async () => {
  expect(await placed("edited.digest", file)).toEqual({
    ...{ recordings: "eu.yaml:3", conversations: "eu.yaml:5", audit_events: undefined },
    ...{ office: "eu.yaml:9", runners: undefined },
    ...{ "carrier-a": "eu.yaml:16", "carrier-b": undefined, crm: "eu.yaml:17" },
  });
  expect((await placed("created.digest", file)).office).toBe("eu.yaml:7");
  expect(Object.values(await placed("destroyed.digest", file)).filter(Boolean)).toEqual([]);
});

test("a file's name is shown with escapes", async () => {
  const placeOf = placesInText(file, "eu\r::error::x.yaml");
  const { changes } = await reportOf(recording("edited.digest"), { placeOf });
  expect(changes[0]?.place).toMatch(/^eu\\u\{d\}::error::x\.yaml:\d+$/);
});

test("an entry that is an alias is at its own line", async () => {
  const text = file.replace("recordings:", "recordings: &all").replace("{ days: 60 }", "*all");
  expect((await placed("created.digest", text)).conversations).toBe("eu.yaml:5");
});

test.each(["", "[", "- a\n- b\n", "retention: 3\n", "*nothing\n"])(
  "an invalid file, %j, has no lines",
  async (text) => {
    expect(Object.values(await placed("edited.digest", text)).filter(Boolean)).toEqual([]);
  },
);

test("of the file that the stack's configuration names, only one in the project is read", async () => {
  const folder = temporaryFolder();
  const project = join(folder, "project");
  mkdirSync(join(project, "stacks"), { recursive: true });
  for (const name of ["project/organization.yaml", "project/stacks/eu.yaml", "outside.yaml"])
    writeFileSync(join(folder, name), file);
  symlinkSync("/dev/zero", join(project, "endless.yaml"));
  const place = async (name: string) => {
    const { changes } = await reportOf(recording("created.digest"), { placeOf: placesIn(project, name) });
    return changes.find((change) => change.name === "office")?.place;
  };
  expect(await place("organization.yaml")).toBe("organization.yaml:7");
  expect(await place("stacks/eu.yaml")).toBe("stacks/eu.yaml:7");
  for (const name of ["missing.yaml", "stacks", "../outside.yaml", join(folder, "outside.yaml"), "endless.yaml"])
    expect(await place(name)).toBeUndefined();
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
  expect(placeOf({ ...entry, edited: ["retentionDays"] })).toBe("Pulumi.yaml:8");
  expect(placeOf({ ...entry, edited: [] })).toBe("Pulumi.yaml:7");
  expect(placeOf(crm)).toBe("Pulumi.yaml:9");
  expect(placeOf({ ...crm, organization: "other" })).toBeUndefined();
  expect(placeOf({ ...retention, name: "alone", edited: ["enabled", "retentionDays"] })).toBe("Pulumi.yaml:13");
  expect(placeOf({ ...retention, name: "alone", edited: [] })).toBe("Pulumi.yaml:10");
  expect(placeOf({ ...retention, name: "gone", edited: [] })).toBeUndefined();
});

test("the parser itself prints nothing of a program or a project's file", () => {
  const printed = jest.spyOn(process, "emitWarning").mockImplementation();
  const file = join(temporaryFolder(), "Pulumi.yaml");
  const text = "config:\n  a: { ? { password: hunter22 } : !hunter23 b }\nresources: { ? [hunter24] : 1 }\n";
  writeFileSync(file, text);
  placesInText(text, "Pulumi.yaml", true);
  documentIn(file);
  expect(printed).not.toHaveBeenCalled();
});
