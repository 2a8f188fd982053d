/** However an organization or a resource is renamed, what the program declares is the last word on every object. */
import { ids } from "./support/organization";
import { project, type Project } from "./support/project";

/** The same organization under a name, with a delete of everything that would undo it. */
const organization = (name: string, provider: boolean) => `
  ${provider ? `const provider = new Provider("${name}", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });` : ""}
  new Organization("${name}", {
    retention: {
      recordings: { days: 365, onDelete: { retentionDays: 30, enabled: true }, allowShortening: { from: 365, to: 30 } },
      audit_events: { days: 365, onDelete: "disable" },
    },
    networkPolicies: {
      office: { id: "${ids.office}", sourceCidr: "203.0.113.0/24", onDelete: { sourceCidr: "203.0.113.7/32" } },
    },
    trunks: { "carrier-a": { id: "${ids.carrierA}", outboundAuth: "tracked", onDelete: "clear" } },
  }${provider ? ", { providers: [provider] }" : ""});`;

const declared = [
  'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"source_cidr":"203.0.113.0/24"}',
  'PUT /v1/retention-policies/audit_events {"retention_days":365,"enabled":true}',
  'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
];

const undone = [
  "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
  'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"source_cidr":"203.0.113.7/32"}',
  'PUT /v1/retention-policies/audit_events {"retention_days":365,"enabled":false}',
  'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
];

const sorted = (stack: Project): string[] => stack.organization.requests().sort();

async function applied(program: string): Promise<Project> {
  const stack = await project({ program });
  await stack.up();
  stack.organization.requests();
  return stack;
}

test("an organization gets another name at the same address: it is set again, nothing is undone, and a destroy undoes it", async () => {
  const stack = await applied(organization("eu", true));

  stack.program(organization("europe", true));
  const output = await stack.up();
  expect(sorted(stack)).toEqual(declared);
  const spared = output.matchAll(
    /(\w+ "\S+") of eu: still declared by this program, so deleting it here sent nothing/g,
  );
  expect(new Set([...spared].map(([, object]) => object)).size).toBe(4);
  expect(await stack.up()).toContain("7 unchanged");
  expect(sorted(stack)).toEqual([]);

  await stack.destroy();
  expect(sorted(stack)).toEqual(undone);
});

test("from the default provider to an explicit one with another name: nothing is undone", async () => {
  const stack = await applied(organization("org", false));
  stack.program(organization("europe", true));
  await stack.up();
  expect(sorted(stack)).toEqual(declared);
});

test("a rename in a run that leaves the new name out sends nothing and keeps the state, however it is left out", async () => {
  const stack = await applied(organization("eu", true));
  stack.program(organization("europe", true));
  const before = Object.keys(stack.state()).sort();

  const old = "urn:pulumi:dev::test::voiceplane:index:Organization";
  const refusal =
    /RetentionPolicy "recordings" of eu: the program declares this object, and this run leaves that out, so nothing was sent/;
  const parts = ["--target", `${old}::eu`, "--target-dependents"];
  expect(await stack.up({ flags: parts, fails: true })).toMatch(refusal);
  const excluded = ["--exclude", `${old}::europe`, "--exclude-dependents"];
  expect(await stack.up({ flags: excluded, fails: true })).toMatch(refusal);
  expect(sorted(stack)).toEqual([]);
  expect(Object.keys(stack.state())).toEqual(expect.arrayContaining(before));

  await stack.up();
  expect(sorted(stack)).toEqual(declared);
});

test("two policies that swap their kinds one after the other, each deleted before it is replaced, stay as declared", async () => {
  const policies = (first: string, second: string) => `
    const first = new RetentionPolicy("first", { resource: "${first}", retentionDays: 90, onDelete: "disable" },
      { deleteBeforeReplace: true });
    new RetentionPolicy("second", { resource: "${second}", retentionDays: 90, onDelete: "disable" },
      { deleteBeforeReplace: true, dependsOn: [first] });`;
  const stack = await applied(policies("recordings", "conversations"));
  stack.program(policies("conversations", "recordings"));
  await stack.up();
  expect(sorted(stack)).toEqual([
    'PUT /v1/retention-policies/conversations {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);
});

test("destroy --run-program refuses what it cannot tell from a rename, and a plain destroy acts", async () => {
  const stack = await applied(organization("eu", true));
  const output = await stack.destroy({ flags: ["--run-program"], fails: true });
  expect(output).toContain("to destroy, leave out --run-program");
  expect(sorted(stack)).toEqual([]);

  await stack.destroy();
  expect(sorted(stack)).toEqual(undone);
});
