import fc from "../../../support/properties";
import { parse } from "yaml";
import { emptyOrganizationFile, organizationFileOf } from "../../../../src/cli/init/organization-file";
import type { Webhook } from "../../../../src/resources/webhook-list";
import { readOrganizationFile } from "../../../../src/organization-file/reader";

const fileOf = organizationFileOf;

/** The part from "webhooks:" on. */
const sectionOf = (text: string) => text.slice(text.indexOf("\nwebhooks:") + 1);

const adopted = (...ids: string[]) => ids.map((id) => ({ id, onCreate: "adopt" }));

const entriesOf = (text: string): unknown[] =>
  Object.values((parse(text) as { webhooks: Record<string, unknown> }).webhooks);

const namesOf = (...webhooks: Webhook[]) => Object.keys((parse(fileOf(webhooks)) as { webhooks: object }).webhooks);

test("without a server the file declares nothing, and is valid", () => {
  expect(readOrganizationFile(emptyOrganizationFile())).toEqual({
    organization: { retention: {}, networkPolicies: {}, trunks: {}, webhooks: {} },
  });
});

test("every example in the file's comments is valid", () => {
  const examples = emptyOrganizationFile().replaceAll(/((?:^#.*\n)*?)^# {3}(\w[^\n]*)\n(\w+): \{\}$/gm, "$1$3:\n  $2");
  const reading = readOrganizationFile(examples);
  expect(reading).toMatchObject({
    organization: {
      retention: { recordings: { days: 90, onCreate: "overwrite" } },
      networkPolicies: {
        office: { onCreate: "overwrite", sourceCidr: "203.0.113.0/24", mustInclude: ["203.0.113.7"] },
      },
      trunks: { "carrier-a": { outboundAuth: "tracked" } },
      webhooks: { crm: { rotateAfter: "90d" } },
    },
  });
});

test("the comment in the first line leads editors to the schema", () => {
  const comment = "# yaml-language-server: $schema=./node_modules/pulumi-voiceplane/organization.schema.json\n";
  expect(emptyOrganizationFile().startsWith(comment)).toBe(true);
  expect(fileOf([{ id: "1" }]).startsWith(comment)).toBe(true);
});

test("webhooks are adopted unchanged, in the server's order", () => {
  const webhooks = [
    { id: "c0000000-0000-4000-8000-000000000002", url: "https://billing.example.com/in?key=hush", enabled: false },
    { id: "c0000000-0000-4000-8000-000000000001", name: "CRM events", url: "https://crm.example.com/hush-hush" },
    { id: "7" },
  ];
  expect(sectionOf(fileOf(webhooks))).toBe(`webhooks:
  # billing.example.com, disabled on the server
  billing-example-com:
    id: "c0000000-0000-4000-8000-000000000002"
    onCreate: adopt
  # crm.example.com
  crm-events:
    id: "c0000000-0000-4000-8000-000000000001"
    onCreate: adopt
  webhook-7:
    id: "7"
    onCreate: adopt
`);
});

test("left-out webhooks are mentioned in a comment", () => {
  const text = fileOf([{ id: "a/b" }, { id: "c" }]);
  expect(text.split("\n").slice(-2)).toEqual(["# Left out, because no request could name them by their ids: 1.", ""]);
  expect(entriesOf(text)).toEqual(adopted("c"));
});

test("an empty list is a file that declares no webhooks", () => {
  expect(fileOf([])).toBe(emptyOrganizationFile());
});

const idsOfYaml = [..."00123 1e3 0x1f true null ~ ' \" *a &a !a % @ é".split(" "), "- a", "a: b", "a #b", "a\u2028b"];

test.each(idsOfYaml)("the id %j is unchanged", (id) => {
  expect(entriesOf(fileOf([{ id }]))).toEqual(adopted(id));
});

test("of ids that differ in upper and lower case only, the first is adopted, and a comment counts the others", () => {
  const file = fileOf([{ id: "T" }, { id: "t" }, { id: "T" }]);
  expect(entriesOf(file)).toEqual(adopted("T"));
  expect(file).toContain("\n# Left out, because their ids differ from one above in upper and lower case only: 1.\n");
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

  const url = "https://hooks.example.com/services/hush-hush?key=hush";
  const [first, second] = [1, 2].map((number) => `c0000000-0000-4000-8000-00000000000${number}`);
  const webhook = (id: string | undefined, more: object = {}): Webhook => ({ id: id ?? "", url, ...more });
  test("webhooks of the same name get numbers, and their hosts as comments", () => {
    expect(sectionOf(fileOf([webhook("ab-1"), webhook("ab_1")]))).toBe(`webhooks:
  # hooks.example.com
  hooks-example-com:
    id: "ab-1"
    onCreate: adopt
  # hooks.example.com
  hooks-example-com-2:
    id: "ab_1"
    onCreate: adopt
`);
    const taken = [{ id: "1", name: "crm" }, { id: "2", name: "crm 2" }, { id: "3", name: "CRM" }]; // prettier-ignore
    expect(namesOf(...taken)).toEqual(["crm", "crm-2", "crm-3"]);
  });

  test("a description is preferred to a host, and a name to a description", () => {
    const described = { description: "To the CRM" };
    expect(namesOf(webhook(first, described), webhook(second, { ...described, name: "billing" }))).toEqual([
      "to-the-crm",
      "billing",
    ]);
  });

  test("only the host of a URL is written", () => {
    expect(fileOf([webhook(first), webhook(second)])).not.toContain("hush");
  });

  test("without anything usable, the id is the name", () => {
    expect(namesOf({ id: "A_1", name: "事件", url: "not a url" })).toEqual(["webhook-a-1"]);
    expect(namesOf({ id: "事", name: 7, url: "mailto:hush@example.com" })).toEqual(["webhook"]);
  });
});

test("whatever a server lists, the file is valid, adopts each usable id once, and holds no path of a URL", () => {
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
    fc.property(fc.array(webhook), (webhooks) => {
      const file = fileOf(webhooks);
      expect(file).not.toContain("hush-hush");
      expect(readOrganizationFile(file)).toHaveProperty("organization");
      const unusable = /^$|^\.{1,2}$|[/\\\p{Cc}]/u;
      const ids = [...new Set(webhooks.map(({ id }) => id))].filter((id) => !unusable.test(id) && id.trim() === id);
      // An id that no text file can hold may be left out.
      const whole = ids.filter((id) => id.isWellFormed());
      const keys = whole.map((id) => id.toLowerCase());
      const distinct = whole.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
      expect(entriesOf(file)).toEqual(expect.arrayContaining(adopted(...distinct)));
    }),
    { numRuns: 150 },
  );
});
