import fc from "fast-check";
import { parse } from "yaml";
import { emptyOrganizationFile, organizationFileOf } from "../../../src/cli/init/organization-file";
import type { Webhook } from "../../../src/resources/webhook-list";
import { readOrganizationFile } from "../../../src/stack/organization-file";

const address = "https://voice.example.com";

const fileOf = (webhooks: readonly Webhook[], complete = true) => organizationFileOf({ webhooks, complete }, address);

/** From "webhooks:" on. */
const sectionOf = (text: string) => text.slice(text.indexOf("\nwebhooks:") + 1);

const adopted = (...ids: string[]) => ids.map((id) => ({ id, rotateOnCreate: false }));

const entriesOf = (text: string): unknown[] =>
  Object.values((parse(text) as { webhooks: Record<string, unknown> }).webhooks);

const namesOf = (...webhooks: Webhook[]) => Object.keys((parse(fileOf(webhooks)) as { webhooks: object }).webhooks);

test("without a server the file declares nothing, and is right", () => {
  expect(readOrganizationFile(emptyOrganizationFile, "organization.yaml")).toEqual({
    organization: { retention: {}, networkPolicies: {}, trunks: {}, webhooks: {} },
  });
});

test("every example in the file's comments is right as it stands", () => {
  const examples = emptyOrganizationFile.replaceAll(/((?:^#.*\n)*?)^# {3}(\w[^\n]*)\n(\w+): \{\}$/gm, "$1$3:\n  $2");
  const reading = readOrganizationFile(examples, "organization.yaml");
  expect(reading).toMatchObject({
    organization: {
      retention: { recordings: { days: 90 } },
      networkPolicies: { office: { sourceCidr: "203.0.113.0/24", mustInclude: ["203.0.113.7"] } },
      trunks: { "carrier-a": { outboundAuth: "cleared" } },
      webhooks: { crm: { rotateAfter: "90d" } },
    },
  });
});

test("editors find the schema: the comment is the first line", () => {
  const comment = "# yaml-language-server: $schema=./node_modules/pulumi-voiceplane/organization.schema.json\n";
  expect(emptyOrganizationFile.startsWith(comment)).toBe(true);
  expect(fileOf([{ id: "1" }]).startsWith(comment)).toBe(true);
});

test("webhooks are taken over as they are, in the server's order", () => {
  const webhooks = [
    { id: "c0000000-0000-4000-8000-000000000002", url: "https://billing.example.com/in?key=hush", enabled: false },
    { id: "c0000000-0000-4000-8000-000000000001", name: "CRM events", url: "https://crm.example.com/hush-hush" },
    { id: "7" },
  ];
  expect(sectionOf(fileOf(webhooks))).toBe(`webhooks:
  # billing.example.com, disabled on the server
  billing-example-com:
    id: "c0000000-0000-4000-8000-000000000002"
    rotateOnCreate: false
  # crm.example.com
  crm-events:
    id: "c0000000-0000-4000-8000-000000000001"
    rotateOnCreate: false
  webhook-7:
    id: "7"
    rotateOnCreate: false
`);
});

test("a list that may be only a part says so, and so does what had to be left out", () => {
  const text = fileOf([{ id: "a/b" }, { id: "c" }], false);
  expect(text.split("\n").slice(-3)).toEqual([
    "# The list of https://voice.example.com may be only a part: other webhooks may exist.",
    "# Left out, because no request could name them by their ids: 1.",
    "",
  ]);
  expect(entriesOf(text)).toEqual(adopted("c"));
});

test("an empty list is a file that declares no webhooks", () => {
  expect(fileOf([])).toBe(emptyOrganizationFile);
});

test("a webhook that is listed twice is declared once", () => {
  expect(entriesOf(fileOf([{ id: "a" }, { id: "b" }, { id: "a" }]))).toEqual(adopted("a", "b"));
});

test.each([
  "00123",
  "1e3",
  "0x1f",
  "true",
  "null",
  "~",
  "- a",
  "a: b",
  "a #b",
  "'",
  '"',
  "*a",
  "&a",
  "!a",
  "%",
  "@",
  "é",
  "a\u2028b",
])("the id %j stays what it is", (id) => {
  expect(entriesOf(fileOf([{ id }]))).toEqual(adopted(id));
});

describe("names", () => {
  test.each([
    ["true", "true"],
    ["null", "null"],
    ["123", "123"],
    ["1e5", "1e5"],
    ["No", "no"],
    ["Änderungen & Crème", "anderungen-creme"],
    ["  -- CRM -- ", "crm"],
    ["x".repeat(60), "x".repeat(40)],
    ["__proto__", "proto"],
  ])("%j becomes the key %j, which YAML reads as text", (name, key) => {
    expect(namesOf({ id: "1", name })).toEqual([key]);
  });

  test("the same name twice gets a number, also where that is taken", () => {
    const [a, b, c] = ["crm", "crm 2", "CRM"].map((name, index) => ({ id: String(index), name }));
    if (!a || !b || !c) throw new Error("three");
    expect(namesOf(a, b, c)).toEqual(["crm", "crm-2", "crm-3"]);
  });

  test("without anything usable the id names it", () => {
    expect(namesOf({ id: "A_1", name: "事件", url: "not a url" })).toEqual(["webhook-a-1"]);
    expect(namesOf({ id: "事", name: 7, url: "mailto:hush@example.com" })).toEqual(["webhook"]);
  });
});

test("whatever a server lists, the file is right, adopts each usable id once, and holds no path of a URL", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("constructor", "__proto__", "a\nb: c", "{{"),
  );
  const url = fc.oneof(
    fc.webUrl().map((base) => `${new URL(base).origin}/hush-hush?hush=1`),
    text,
  );
  const webhook = fc.record(
    { id: text, name: fc.oneof(text, fc.integer(), fc.constant(null)), url, enabled: fc.boolean() },
    { requiredKeys: ["id"] },
  );
  fc.assert(
    fc.property(fc.array(webhook), fc.boolean(), (webhooks, complete) => {
      const file = fileOf(webhooks, complete);
      expect(file).not.toContain("hush-hush");
      expect(readOrganizationFile(file, "organization.yaml")).toHaveProperty("organization");
      const unusable = /^$|^\.{1,2}$|[/\\\p{Cc}]/u;
      const ids = [...new Set(webhooks.map(({ id }) => id))].filter((id) => !unusable.test(id) && id.trim() === id);
      // One that cannot be written in a file of text at all may be left out.
      const whole = ids.filter((id) => id.isWellFormed());
      expect(entriesOf(file)).toEqual(expect.arrayContaining(adopted(...whole)));
    }),
    { numRuns: 150 },
  );
});
