import { networkPolicyLifecycle } from "../../../../src/resources/network-policy/lifecycle.js";
import { ids, world } from "../../../support/world.js";

const office = (args: object = {}) => ({ office: { networkPolicyId: ids.office, onCreate: "overwrite", ...args } });

test("another spelling of the same id is set, and the old one's delete does not undo it", async () => {
  const { engine, plane } = await world(networkPolicyLifecycle);
  const args = { name: "HQ", onDelete: { name: "Undone" } };
  await engine.up(office({ ...args, networkPolicyId: ids.office.toUpperCase() }));
  await engine.up(office(args));
  expect(engine.said().join()).toContain("still declared by this program, so deleting it here sent nothing");
  expect(plane.control.state().networkPolicies[0]).toMatchObject({ name: "HQ" });
});
