/** Objects whose create lost its answer: nobody knows whether they exist, and they must neither be forgotten nor block. */
import type { Fault } from "../../../src/control-plane/index.js";
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { ids, messageOf, world } from "../../support/world.js";

const lost = { status: 500, count: 1 } as const;

test("an unknown id that the server answers 500 for can be corrected, and its delete blocks nothing", async () => {
  const { engine, plane, journal, forgetRequests } = await world(networkPolicy);
  const args = { name: "HQ", onDelete: { name: "Undone" } };
  await messageOf(engine.up({ office: { networkPolicyId: "a-typo", onCreate: "overwrite", ...args } }));
  expect(engine.outputsOf("office")).toMatchObject({ uncertain: "create" });
  forgetRequests();
  await engine.up({ office: { networkPolicyId: ids.office, onCreate: "overwrite", ...args } });
  expect(journal()).toEqual([
    `PATCH /v1/network-policies/${ids.office} {"name":"HQ"}`,
    'PATCH /v1/network-policies/a-typo {"name":"Undone"}',
  ]);
  expect(engine.said()[0]).toContain(
    'warning: NetworkPolicy "a-typo" of acme: was never confirmed, and is left as it is: PATCH /v1/network-policies/a-typo failed: 500',
  );
  expect(plane.control.state().networkPolicies[0]).toMatchObject({ name: "HQ" });
});

test.each([400, 404, 410, 422])("a denial by %i lets an unconfirmed object go, lost once or twice", async (status) => {
  for (const times of [1, 2]) {
    const { engine, faults } = await world(retentionPolicy);
    const program = { kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" } };
    for (let n = 0; n < times; n++) {
      faults({ operation: "putRetentionPolicy", ...lost });
      await messageOf(engine.up(program));
    }
    expect(engine.outputsOf("kept")).toMatchObject({ uncertain: "create" });
    faults({ operation: "putRetentionPolicy", status });
    await engine.destroy();
    expect(engine.said().join()).toContain("was never confirmed, and is left as it is");
  }
});

const passing: [string, Fault][] = [
  ["a wrong token", { operation: "*", status: 401 }],
  ["a missing right", { operation: "*", status: 403 }],
  ["too many requests", { operation: "*", status: 429, retryAfter: 3600 }],
  ["a server that fails", { operation: "*", status: 500 }],
  ["a server that is away", { operation: "*", status: 503 }],
  ["a lost answer", { operation: "*", connection: "reset" }],
];

test.each(passing)(
  "%s does not end the delete of an unconfirmed object: the next destroy tries again",
  async (_name, fault) => {
    const { engine, journal, forgetRequests, faults } = await world(retentionPolicy);
    faults({ operation: "putRetentionPolicy", commit: true, ...lost });
    await messageOf(
      engine.up({ kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" } }),
    );
    faults(fault);
    await messageOf(engine.destroy());
    faults();
    forgetRequests();
    await engine.destroy();
    expect(journal()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}']);
  },
);

test("a missing right to PATCH does not end the delete of an unconfirmed object either", async () => {
  const { engine, journal, faults } = await world(networkPolicy);
  faults({ operation: "patchNetworkPolicy", commit: true, ...lost });
  await messageOf(
    engine.up({
      office: { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", onDelete: { name: "Undone" } },
    }),
  );
  faults({ operation: "patchNetworkPolicy", status: 403 });
  expect(await messageOf(engine.destroy())).toContain("was refused: 403");
  faults();
  journal();
  await engine.destroy();
  expect(journal()).toEqual([`PATCH /v1/network-policies/${ids.office} {"name":"Undone"}`]);
});

test("an object that was confirmed once is never left behind because a later answer was lost", async () => {
  const { engine, faults } = await world(retentionPolicy);
  const program = { kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" } };
  await engine.up(program);
  faults({ operation: "putRetentionPolicy", ...lost });
  await messageOf(engine.up({ kept: { ...program.kept, retentionDays: 91 } }));
  faults({ operation: "putRetentionPolicy", status: 404 });
  expect(await messageOf(engine.destroy())).toContain("was refused: 404");
});
