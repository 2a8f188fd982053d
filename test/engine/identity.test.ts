import { ids } from "./support/organization";
import { project, type Project } from "./support/project";

/** On this interface "create" and "delete" of one object are the same object: a delete after a create would undo it. */
const declaration = (suffix: string) => `
  new RetentionPolicy("recordings${suffix}", { resource: "recordings", retentionDays: 90, onDelete: "disable" });
  new NetworkPolicy("office${suffix}", {
    networkPolicyId: "${ids.office}", name: "HQ", onDelete: { name: "gone" },
  });
  new TrunkOutboundAuth("carrier-a${suffix}", { trunkId: "${ids.carrierA}", cleared: false, onDelete: "clear" });`;

const urn = (type: string, name: string) => `urn:pulumi:dev::test::pulumi-nodejs:dynamic/voiceplane:${type}::${name}`;

/** The last request that each object has seen. */
function lastWrites(stack: Project): Record<string, string> {
  const requests = stack.organization.requests().map((request) => request.split(" ", 3) as [string, string, string?]);
  return Object.fromEntries(requests.map(([method, path, body = ""]) => [path, `${method} ${body}`.trim()]));
}

const asDeclared = {
  "/v1/retention-policies/recordings": 'PUT {"retention_days":90,"enabled":true}',
  "/v1/network-policies/a0000000-0000-4000-8000-000000000001": 'PATCH {"name":"HQ"}',
};

test("a rename without alias, --replace, a taint and an interrupted rename leave every object as declared: the deletes of the old names send nothing and say so", async () => {
  const stack = await project({ program: declaration("") });
  await stack.up();
  stack.organization.requests();

  stack.program(declaration("-2"));
  const output = await stack.up();
  expect(lastWrites(stack)).toEqual(asDeclared);
  const spared = output.matchAll(
    /(\w+ "\S+") of http:\S+: still declared by this program, so deleting it here sent nothing/g,
  );
  expect(new Set([...spared].map(([, object]) => object))).toEqual(
    new Set([
      'RetentionPolicy "recordings"',
      'NetworkPolicy "a0000000-0000-4000-8000-000000000001"',
      'TrunkOutboundAuth "b0000000-0000-4000-8000-000000000001"',
    ]),
  );
  expect(Object.keys(stack.state()).sort()).toEqual(["carrier-a-2", "office-2", "recordings-2"]);

  const urns = [
    urn("RetentionPolicy", "recordings-2"),
    urn("NetworkPolicy", "office-2"),
    urn("TrunkOutboundAuth", "carrier-a-2"),
  ];
  await stack.up({ flags: urns.flatMap((each) => ["--replace", each]) });
  expect(lastWrites(stack)).toEqual(asDeclared);
  await stack.run(["state", "taint", ...urns, "--yes", "--stack", "dev"]);
  await stack.up();
  expect(lastWrites(stack)).toEqual(asDeclared);
  expect(await stack.up()).toContain("4 unchanged");

  // The last request to be sent is still under way when the interrupt comes: all creates are done, no delete has begun.
  const slow = `new RetentionPolicy("slow", { resource: "audit_events", retentionDays: 365 }, { dependsOn: [
    new TrunkOutboundAuth("carrier-b", { trunkId: "${ids.carrierB}", cleared: true }),
  ] });`;
  stack.organization.control.setFaults([{ operation: "clearTrunkOutboundAuth", effect: "latency", latencyMs: 5000 }]);
  stack.program(declaration("-3") + slow);
  const writes = () => stack.organization.control.journal().filter(({ method }) => method !== "GET").length;
  const before = writes();
  const up = stack.startUp();
  await stack.until(() => writes() >= before + 2);
  up.signal("SIGINT");
  expect((await up.finished).code).not.toBe(0);
  const half = Object.keys(stack.state());
  expect(half).toEqual(expect.arrayContaining(["recordings-2", "recordings-3", "office-2", "office-3"]));

  stack.organization.control.setFaults([]);
  await stack.up();
  expect(lastWrites(stack)).toEqual({
    ...asDeclared,
    "/v1/trunks/b0000000-0000-4000-8000-000000000002/outbound-auth": "DELETE",
    "/v1/retention-policies/audit_events": 'PUT {"retention_days":365,"enabled":true}',
  });
  expect(Object.keys(stack.state()).sort()).toEqual(["carrier-a-3", "carrier-b", "office-3", "recordings-3", "slow"]);

  await stack.destroy();
  expect(stack.organization.requests().sort()).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"gone"}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
  ]);
});

test("two resources that swap their objects leave both as declared", async () => {
  const policies = (first: string, second: string) => `
    new RetentionPolicy("first", { resource: "${first}", retentionDays: 90, onDelete: "disable" });
    new RetentionPolicy("second", {
      resource: "${second}", retentionDays: 30, onDelete: "disable", allowShortening: { from: 90, to: 30 },
    });`;
  const stack = await project({ program: policies("recordings", "conversations") });
  await stack.up();
  stack.organization.requests();

  stack.program(policies("conversations", "recordings"));
  const preview = await stack.preview();
  expect(preview).toContain('~ resource: "recordings" => "conversations"');
  expect(preview).toContain("+-2 to replace");
  await stack.up();
  expect(lastWrites(stack)).toEqual({
    "/v1/retention-policies/conversations": 'PUT {"retention_days":90,"enabled":true}',
    "/v1/retention-policies/recordings": 'PUT {"retention_days":30,"enabled":true}',
  });
});
