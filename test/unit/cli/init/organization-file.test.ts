import { readFileSync } from "node:fs";
import fc from "../../../support/properties";
import { join } from "node:path";
import { parse } from "yaml";
import { anyCharacter } from "../../../support/any-character";
import { testApproved } from "../../../support/approved";
import { newOrganizationFile } from "../../../../src/cli/commands/init/organization-file";
import type { Webhook } from "../../../../src/resources/webhook-secret/list";
import { sectionNames } from "../../../../src/organization-file/entries";
import { readOrganizationFile } from "../../../../src/organization-file/reader";

const fileOf = newOrganizationFile;
const emptyFile = readFileSync("templates/organization.yaml", "utf8");

const adopted = (...ids: string[]) => ids.map((id) => ({ id, onCreate: "adopt" }));

const entriesOf = (text: string): unknown[] =>
  Object.values((parse(text) as { webhooks: Record<string, unknown> }).webhooks);

test("without webhooks the file is the template, which declares nothing, and is valid", () => {
  expect(fileOf([])).toBe(emptyFile);
  expect(readOrganizationFile(emptyFile)).toMatchObject({
    organization: { retention: {}, networkPolicies: {}, trunks: {}, webhooks: {} },
  });
});

test("every example in the file's comments is valid", () => {
  const examples = emptyFile.replaceAll(/((?:^#.*\n)*?)^# {3}(\w[^\n]*)\n(\w+): \{\}$/gm, "$1$3:\n  $2");
  const reading = readOrganizationFile(examples);
  const declared = "organization" in reading ? reading.organization : {};
  expect(sectionNames.filter((section) => Object.keys(declared[section] ?? {}).length === 0)).toEqual([]);
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
  expect(emptyFile.startsWith(comment)).toBe(true);
  expect(fileOf([{ id: "1" }]).startsWith(comment)).toBe(true);
});

const url = "https://hooks.example.com/services/hush-hush?key=hush";
const [first, second] = ["c0000000-0000-4000-8000-000000000001", "c0000000-0000-4000-8000-000000000002"];

/** The file's part from "webhooks:" on. */
const section = (...webhooks: Webhook[]) => {
  const text = fileOf(webhooks);
  expect(text).not.toContain("hush");
  return () => Promise.resolve(text.slice(text.indexOf("\nwebhooks:") + 1));
};

testApproved(join(__dirname, "approved/webhooks.md"), {
  "webhooks are adopted unchanged, in the server's order": section(
    { id: second, url: "https://billing.example.com/in?key=hush", enabled: false },
    { id: first, name: "CRM events", url: "https://crm.example.com/hush-hush" },
    { id: "7" },
  ),
  "left-out webhooks are mentioned in a comment": section({ id: "a/b" }, { id: "c" }),
  "of ids that differ in upper and lower case only, the first is adopted": section(
    { id: "T" },
    { id: "t" },
    { id: "T" },
  ),
  "webhooks of the same name get numbers, and their hosts as comments": section(
    { id: "ab-1", url },
    { id: "ab_1", url },
  ),
  "a number is not given twice": section(
    { id: "1", name: "crm" },
    { id: "2", name: "crm 2" },
    { id: "3", name: "CRM" },
  ),
  "a description is preferred to a host, and a name to a description": section(
    { id: first, url, description: "To the CRM" },
    { id: second, url, description: "To the CRM", name: "billing" },
  ),
  "without anything usable, the id is the name": section(
    { id: "A_1", name: "事件", url: "not a url" },
    { id: "事", name: 7, url: "mailto:hush@example.com" },
  ),
});

const idsOfYaml = [..."00123 1e3 0x1f true null ~ ' \" *a &a !a % @ é".split(" "), "- a", "a: b", "a #b"];

test.each(idsOfYaml)("the id %j is unchanged", (id) => {
  expect(entriesOf(fileOf([{ id }]))).toEqual(adopted(id));
});

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
])("the name %j becomes the key %j, which YAML reads as text", (name, key) => {
  const { webhooks } = parse(fileOf([{ id: "1", name }])) as { webhooks: object };
  expect(Object.keys(webhooks)).toEqual([key]);
});

test("whatever a server lists, the file is valid, adopts each usable id once, and holds no path of a URL", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom("constructor", "__proto__", "a\nb: c", "{{"),
  );
  const url = fc.oneof(
    fc.domain().map((domain) => `https://${domain}/hush-hush?hush=1`),
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
      const unusable = /^$|^\.{1,2}$|[/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
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
