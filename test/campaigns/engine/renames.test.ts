/** However an organization or a resource is renamed, every object ends as the program declares it. */
import { ids, organization as anotherOrganization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";

/** The same organization under another name. Every onDelete would undo its settings. */
const organization = (name: string) => `
  new Organization("${name}", {
    onCreate: "overwrite",
    retention: {
      recordings: { days: 365, onDelete: { retentionDays: 30, enabled: true }, allowShortening: { from: 365, to: 30 } },
      audit_events: { days: 365, onDelete: "disable" },
    },
    networkPolicies: {
      office: { id: "${ids.office}", sourceCidr: "203.0.113.0/24", onDelete: { sourceCidr: "203.0.113.7/32" } },
    },
    trunks: { "carrier-a": { id: "${ids.carrierA}", outboundAuth: "tracked", onDelete: "clear" } },
  });`;

const declared = [
  'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"source_cidr":"203.0.113.0/24"}',
  'PUT /v1/retention-policies/audit_events {"retention_days":365,"enabled":true}',
  'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
];

/** The policies of the other organization, before and after their ids are swapped. */
const swapped = [
  'PATCH /v1/network-policies/np-1 {"name":"Office"}',
  'PATCH /v1/network-policies/np-2 {"name":"Office"}',
];

const undone = [
  "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
  'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"source_cidr":"203.0.113.7/32"}',
  'PUT /v1/retention-policies/audit_events {"retention_days":365,"enabled":false}',
  'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
];

const sorted = (stack: Project): string[] => stack.organization.requests().sort();

test.each(["dynamic", "native"] as const)(
  "%s: a resource that moves to another organization is refused where its onDelete sends, and a removed policy's onDelete is sent beside another organization at its address",
  async (over) => {
    const stack = await project();
    const provider = (name: string) =>
      `const ${name} = new Provider("${name}", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });`;
    const policy = (name: string, of: string) => `
      new RetentionPolicy("${name}", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" }, { provider: ${of} });`;
    const providers = provider("one") + provider("two");
    stack[over](providers + policy("first", "one") + policy("second", "two"));
    await stack.up();
    stack.organization.forgetRequests();
    stack[over](providers + policy("first", "two"));
    expect(await stack.up({ fails: true })).toContain("this RetentionPolicy belongs to the organization one");
    expect(stack.organization.requests()).toEqual([]);
    stack[over](providers + policy("second", "two"));
    await stack.up();
    expect(stack.organization.requests()).toEqual([
      'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
    ]);
  },
);

test.each(["dynamic", "native"] as const)(
  "%s: a rename without alias, --replace and a taint send what is declared and undo nothing",
  async (over) => {
    const stack = await project();
    const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
    const declare = (name: string) => {
      stack[over](
        `new RetentionPolicy("${name}", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" });`,
      );
    };
    declare("first");
    await stack.up();
    declare("second");
    await stack.up();
    const urn = () => stack.state().second?.urn ?? "";
    await stack.up({ flags: ["--replace", urn()] });
    await stack.run(["state", "taint", "--stack", "dev", urn()]);
    await stack.up();
    expect(stack.organization.requests()).toEqual([put, put, put, put]);
  },
);

test("two policies of another organization that swap their ids are set once each, and an organization with another name undoes nothing", async () => {
  const other = await anotherOrganization();
  other.control.seed({
    networkPolicies: ["np-1", "np-2"].map((id) => ({ id, name: id, source_cidr: "192.0.2.0/24" })),
  });
  const policies = (first: string, second: string) => `
    // VOICEPLANE_TOKEN does not apply to explicit providers.
    const other = new Provider("other", { baseUrl: "${other.url}" });
    const first = new NetworkPolicy("first", { networkPolicyId: "${first}", onCreate: "overwrite", name: "Office", onDelete: { name: "gone" } },
      { provider: other, deleteBeforeReplace: true });
    new NetworkPolicy("second", { networkPolicyId: "${second}", onCreate: "overwrite", name: "Office", onDelete: { name: "gone" } },
      { provider: other, deleteBeforeReplace: true, dependsOn: [first] });`;
  const stack = await project({
    program: organization("org") + policies("np-1", "np-2"),
    env: { VOICEPLANE_TOKEN_OTHER: "vp_dev_second_full" },
  });
  await stack.up();
  expect(other.requests().sort()).toEqual(swapped);
  expect([stack.organization.tokens(), other.tokens()]).toEqual([["full"], ["secondFull"]]);
  stack.organization.forgetRequests();

  stack.program(organization("europe") + policies("np-2", "np-1"));
  await stack.up();
  expect(sorted(stack)).toEqual(declared);
  // np-2 has to leave the second one before the first one may have it, and its check comes later.
  expect(other.requests().slice(-2).sort()).toEqual(swapped);

  // A destroy that runs the program deletes the states that the program declares.
  await stack.destroy({ flags: ["--run-program"] });
  expect(sorted(stack)).toEqual(undone);
});
