/** However an organization or a resource is renamed, every object ends as the program declares it. */
import { ids, organization as anotherOrganization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";

/** The same organization under another name. Every onDelete would undo its settings. */
const organization = (name: string, provider: boolean) => `
  ${provider ? `const provider = new Provider("${name}", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });` : ""}
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
  }${provider ? ", { providers: [provider] }" : ""});`;

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

test("a new name of an organization at the same address sends the settings again and undoes nothing; a run that leaves it out is refused", async () => {
  const stack = await project({ program: organization("eu", true) });
  await stack.up();
  stack.organization.forgetRequests();
  stack.program(organization("europe", true));
  const before = Object.keys(stack.state()).sort();

  // Each way of leaving out the new name keeps the state.
  const old = "urn:pulumi:dev::test::voiceplane:index:Organization";
  const refusal =
    /RetentionPolicy "recordings" of eu: the program declares this object under another name, which this run has excluded, so nothing was sent/;
  const parts = ["--target", `${old}::eu`, "--target-dependents"];
  expect(await stack.up({ flags: parts, fails: true })).toMatch(refusal);
  const excluded = ["--exclude", `${old}::europe`, "--exclude-dependents"];
  expect(await stack.up({ flags: excluded, fails: true })).toMatch(refusal);
  expect(sorted(stack)).toEqual([]);
  expect(Object.keys(stack.state())).toEqual(expect.arrayContaining(before));

  const output = await stack.up();
  expect(sorted(stack)).toEqual(declared);
  const spared = output.matchAll(
    /(\w+ "\S+") of eu: still declared by this program, so deleting it here sent nothing/g,
  );
  expect(new Set([...spared].map(([, object]) => object)).size).toBe(4);

  // A destroy that runs the program deletes the states that the program declares.
  await stack.destroy({ flags: ["--run-program"] });
  expect(sorted(stack)).toEqual(undone);
});

test("a move to another name undoes nothing, one to another organization does what onDelete says, and each gets its own token alone", async () => {
  const other = await anotherOrganization();
  other.control.seed({
    networkPolicies: ["np-1", "np-2"].map((id) => ({ id, name: id, source_cidr: "192.0.2.0/24" })),
  });
  const policies = (first: string, second: string, runners: string) => `
    // VOICEPLANE_TOKEN does not apply to explicit providers.
    const other = new Provider("other", { baseUrl: "${other.url}" });
    const first = new NetworkPolicy("first", { networkPolicyId: "${first}", onCreate: "overwrite", name: "Office", onDelete: { name: "gone" } },
      { provider: other, deleteBeforeReplace: true });
    new NetworkPolicy("second", { networkPolicyId: "${second}", onCreate: "overwrite", name: "Office", onDelete: { name: "gone" } },
      { provider: other, deleteBeforeReplace: true, dependsOn: [first] });
    new NetworkPolicy("runners", { networkPolicyId: "${ids.runners}", onCreate: "overwrite", name: "CI", onDelete: { name: "gone" } }, ${runners});
    exports.count = listWebhooks({ provider: other }).apply((webhooks) => webhooks.length);`;
  const stack = await project({
    program: organization("org", false) + policies("np-1", "np-2", "{}"),
    env: { VOICEPLANE_TOKEN_OTHER: "vp_dev_second_full" },
  });
  await stack.up();
  expect(other.requests().sort()).toEqual(["GET /v1/webhooks/", ...swapped]);
  expect([stack.organization.tokens(), other.tokens()]).toEqual([["full"], ["secondFull"]]);
  stack.organization.forgetRequests();

  stack.program(organization("europe", true) + policies("np-2", "np-1", "{ provider: other }"));
  const output = await stack.up({ flags: ["--diff"] });
  expect(output).toContain('~ organization: "acme" => "other"');
  expect(output).toContain("+-3 replaced");
  const runners = `PATCH /v1/network-policies/${ids.runners}`;
  expect(sorted(stack)).toEqual([...declared, `${runners} {"name":"gone"}`].sort());
  expect(other.requests().sort()).toEqual(["GET /v1/webhooks/", `${runners} {"name":"CI"}`, ...swapped]);

  // Swapped back, in the two steps that the preview names: through names that nothing has.
  const back = organization("europe", true) + policies("np-1", "np-2", "{ provider: other }");
  stack.program(back);
  const { stdout } = await stack.voiceplane(["preview", "--format", "json"]);
  expect(stdout).toContain(
    "first, second change places: rename them in two steps, first to names that nothing has, to avoid the request",
  );
  const renamed = (text: string, name: string, old: string) =>
    text.replace(
      new RegExp(`NetworkPolicy\\("${name}"([^]*?)deleteBefore`),
      (_all, rest: string) => `NetworkPolicy("${name}"${rest}aliases: [{ name: "${old}" }], deleteBefore`,
    );
  const through = back
    .replace('NetworkPolicy("first"', 'NetworkPolicy("third"')
    .replace('NetworkPolicy("second"', 'NetworkPolicy("fourth"');
  stack.program(renamed(renamed(through, "third", "second"), "fourth", "first"));
  expect(await stack.up()).toContain("11 unchanged");
  stack.program(renamed(renamed(back, "first", "third"), "second", "fourth"));
  expect(await stack.up()).toContain("11 unchanged");
  expect(other.requests().filter((request) => !request.startsWith("GET "))).toEqual([]);
});
