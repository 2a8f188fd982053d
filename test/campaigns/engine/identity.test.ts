import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { processOf } from "../../support/faults/aftermath";

/** More objects than the default seed has, so that each scenario has one of each kind. */
const more = {
  networkPolicies: ["7", "8"].map((end) => ({
    id: `a0000000-0000-4000-8000-00000000000${end}`,
    name: "More",
    source_cidr: "192.0.2.0/24",
  })),
  trunks: ["7", "8"].map((end) => ({ id: `b0000000-0000-4000-8000-00000000000${end}`, name: "More" })),
};

interface Objects {
  readonly kind: string;
  readonly network: string;
  readonly trunk: string;
}

const renamed: Objects = { kind: "recordings", network: ids.office, trunk: ids.carrierA };
const replaced: Objects = { kind: "conversations", network: ids.runners, trunk: ids.carrierB };
const tainted: Objects = {
  kind: "audit_events",
  network: "a0000000-0000-4000-8000-000000000007",
  trunk: "b0000000-0000-4000-8000-000000000007",
};

/** In this interface, "create" and "delete" act on the same object: a delete after a create would undo it. */
const declaration = (name: string, { kind, network, trunk }: Objects) => `
  new RetentionPolicy("policy-${name}", { resource: "${kind}", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" });
  new NetworkPolicy("network-${name}", { networkPolicyId: "${network}", onCreate: "overwrite", name: "HQ", onDelete: { name: "gone" } });
  new TrunkOutboundAuth("trunk-${name}", { trunkId: "${trunk}", cleared: false, onDelete: "clear" });`;

const typeOf = { policy: "RetentionPolicy", network: "NetworkPolicy", trunk: "TrunkOutboundAuth" };
const urnsOf = (name: string) =>
  Object.entries(typeOf).map(
    ([what, type]) => `urn:pulumi:dev::test::pulumi-nodejs:dynamic/voiceplane:${type}::${what}-${name}`,
  );
const namesOf = (...names: string[]) =>
  names.flatMap((name) => Object.keys(typeOf).map((what) => `${what}-${name}`)).sort();

/** The last request for each object. */
function lastWrites(stack: Project): Record<string, string> {
  const requests = stack.organization.requests().map((request) => request.split(" ", 3) as [string, string, string?]);
  return Object.fromEntries(requests.map(([method, path, body = ""]) => [path, `${method} ${body}`.trim()]));
}

const asDeclared = ({ kind, network }: Objects) => ({
  [`/v1/retention-policies/${kind}`]: 'PUT {"retention_days":90,"enabled":true}',
  [`/v1/network-policies/${network}`]: 'PATCH {"name":"HQ"}',
});

test("renames without an alias, --replace, a taint, an interruption and a swap leave every object as declared", async () => {
  const others = declaration("replaced", replaced) + declaration("tainted", tainted);
  const stack = await project({ program: declaration("1", renamed) + others });
  stack.organization.control.seed(more);
  await stack.up();
  stack.organization.forgetRequests();

  // Three scenarios in one up, each with its own objects.
  stack.program(declaration("2", renamed) + others);
  await stack.run(["state", "taint", ...urnsOf("tainted"), "--yes", "--stack", "dev"]);
  const output = await stack.up({ flags: urnsOf("replaced").flatMap((urn) => ["--replace", urn]) });
  expect(lastWrites(stack)).toEqual({ ...asDeclared(renamed), ...asDeclared(replaced), ...asDeclared(tainted) });
  const spared = output.matchAll(
    /(\w+ "\S+") of http:\S+: still declared by this program, so deleting it here sent nothing/g,
  );
  expect(new Set([...spared].map(([, object]) => object))).toEqual(
    new Set(
      [renamed, replaced, tainted].flatMap(({ kind, network, trunk }) => [
        `RetentionPolicy "${kind}"`,
        `NetworkPolicy "${network}"`,
        `TrunkOutboundAuth "${trunk}"`,
      ]),
    ),
  );
  expect(Object.keys(stack.state()).sort()).toEqual(namesOf("2", "replaced", "tainted"));

  // The interrupt comes while the last request is held: all creates are done, no delete has started.
  const slow = `new NetworkPolicy("slow", { networkPolicyId: "a0000000-0000-4000-8000-000000000008", onCreate: "overwrite", name: "Slow" }, {
    dependsOn: [new TrunkOutboundAuth("waits", { trunkId: "b0000000-0000-4000-8000-000000000008", cleared: true })],
  });`;
  const { control } = stack.organization;
  control.setFaults([{ operation: "clearTrunkOutboundAuth", hold: "before", count: 1 }]);
  stack.program(declaration("3", renamed) + others + slow);
  const writes = () => control.journal().filter(({ method }) => method !== "GET").length;
  const before = writes();
  const up = stack.startUp();
  await control.held();
  await stack.until(() => writes() >= before + 2);
  up.signal("SIGINT");
  await stack.until(() => processOf(stack, "program") === undefined);
  control.release();
  expect((await up.finished).code).not.toBe(0);
  const half = Object.keys(stack.state());
  expect(half).toEqual(expect.arrayContaining(["policy-2", "policy-3", "network-2", "network-3"]));

  // The next up swaps the objects of two resources. The replaced and tainted resources need nothing more.
  const swapped =
    declaration("replaced", { ...replaced, network: tainted.network }) +
    declaration("tainted", { ...tainted, network: replaced.network });
  stack.program(declaration("3", renamed) + swapped + slow);
  const ended = await stack.up({ flags: ["--diff"] });
  expect(ended).toContain(`~ networkPolicyId: "${replaced.network}" => "${tainted.network}"`);
  expect(ended).toContain(`~ networkPolicyId: "${tainted.network}" => "${replaced.network}"`);
  expect(ended).toContain("+-2 replaced");
  expect(lastWrites(stack)).toEqual({
    ...asDeclared(renamed),
    "/v1/trunks/b0000000-0000-4000-8000-000000000008/outbound-auth": "DELETE",
    "/v1/network-policies/a0000000-0000-4000-8000-000000000008": 'PATCH {"name":"Slow"}',
    [`/v1/network-policies/${replaced.network}`]: 'PATCH {"name":"HQ"}',
    [`/v1/network-policies/${tainted.network}`]: 'PATCH {"name":"HQ"}',
  });
  expect(Object.keys(stack.state()).sort()).toEqual([...namesOf("3", "replaced", "tainted"), "slow", "waits"].sort());
  expect(await stack.up()).toContain("12 unchanged");

  await stack.destroy();
  const clear = ({ trunk }: Objects) => `DELETE /v1/trunks/${trunk}/outbound-auth`;
  const rename = ({ network }: Objects) => `PATCH /v1/network-policies/${network} {"name":"gone"}`;
  expect(stack.organization.requests().sort()).toEqual([
    ...[renamed, replaced, tainted].map(clear).sort(),
    ...[renamed, replaced, tainted].map(rename).sort(),
    'PUT /v1/retention-policies/audit_events {"retention_days":90,"enabled":false}',
    'PUT /v1/retention-policies/conversations {"retention_days":90,"enabled":false}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
  ]);
});
