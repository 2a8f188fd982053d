import { networkPolicyLifecycle } from "../../../../src/resources/network-policy/lifecycle.js";
import { answer, rawServer, success } from "../../../support/client/raw-server.js";
import { ids, world } from "../../../support/world.js";

const office = (args: object = {}) => ({ office: { networkPolicyId: ids.office, onCreate: "overwrite", ...args } });

test("a policy that denies its range is warned of", async () => {
  const { engine, plane } = await world(networkPolicyLifecycle);
  plane.control.seed({
    networkPolicies: [{ id: ids.office, name: "Blocked", source_cidr: "203.0.113.0/24", action: "deny" }],
  });
  await engine.up(office({ name: "HQ" }));
  expect(engine.said()).toEqual([
    `warning: NetworkPolicy "${ids.office}" of acme: this is a deny policy: swap mustInclude and mustExclude, ` +
      "so that mustExclude names the addresses that need access.",
  ]);
});

test.each([
  ["nothing", answer(204)],
  ["a word", success("deny")],
  ["another action", success({ id: ids.office, action: "allow" })],
])("an answer that says nothing of denying (%s) is a success without a warning", async (_name, behaviour) => {
  const server = await rawServer([behaviour]);
  const { engine, talkTo } = await world(networkPolicyLifecycle);
  talkTo(server.baseUrl);
  expect(await engine.up(office({ name: "HQ" }))).toEqual({ office: "create" });
  expect(await engine.up(office({ name: "HQ" }))).toEqual({ office: "same" });
  expect(engine.said()).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

test("another spelling of the same id is set, and the old one's delete does not undo it", async () => {
  const { engine, plane } = await world(networkPolicyLifecycle);
  const args = { name: "HQ", onDelete: { name: "Undone" } };
  await engine.up(office({ ...args, networkPolicyId: ids.office.toUpperCase() }));
  await engine.up(office(args));
  expect(engine.said().join()).toContain("still declared by this program, so deleting it here sent nothing");
  expect(plane.control.state().networkPolicies[0]).toMatchObject({ name: "HQ" });
});
