import { trunkOutboundAuthLifecycle } from "../../../../src/resources/trunk-outbound-auth/lifecycle.js";
import { ids, messageOf, world } from "../../../support/world.js";

const carrier = (args: object = {}) => ({ carrier: { trunkId: ids.trunk, cleared: true, ...args } });
const clear = `DELETE /v1/trunks/${ids.trunk}/outbound-auth`;

test("a trunk that does not exist fails its create, and nothing is kept", async () => {
  const { engine } = await world(trunkOutboundAuthLifecycle);
  const program = { gone: { trunkId: "b0000000-0000-4000-8000-0000000000ff", cleared: true } };
  expect(await messageOf(engine.up(program))).toContain("404 NOT_FOUND");
  expect(engine.outputsOf("gone")).toBeUndefined();
});

test("on destroy, a trunk that is gone is as good as cleared", async () => {
  const { engine, plane, journal, forgetRequests } = await world(trunkOutboundAuthLifecycle);
  await engine.up(carrier({ onDelete: "clear" }));
  plane.control.seed({ remove: [ids.trunk] });
  forgetRequests();
  await engine.destroy();
  expect(journal()).toEqual([clear]);
  expect(engine.said()).toEqual([]);
});

test("a create whose answer was lost and that is taken back sends nothing, since nothing could undo it", async () => {
  const { engine, faults, journal, forgetRequests } = await world(trunkOutboundAuthLifecycle);
  faults({ operation: "clearTrunkOutboundAuth", connection: "reset", commit: true });
  await messageOf(engine.up(carrier()));
  faults();
  forgetRequests();
  await engine.up(carrier({ cleared: false }));
  expect(journal()).toEqual([]);
  expect(engine.outputsOf("carrier")).not.toHaveProperty("uncertain");
});

test("a trunk that is only tracked has nothing to confirm", async () => {
  const { engine } = await world(trunkOutboundAuthLifecycle);
  const adopted = (cleared: boolean) => carrier({ cleared, onCreate: "adopt" });
  await engine.up(adopted(false));
  expect(engine.outputsOf("carrier")).not.toHaveProperty("confirmed");
  await engine.up({});
  await engine.up(adopted(true));
  await engine.up(adopted(false));
  expect(engine.outputsOf("carrier")).not.toHaveProperty("confirmed");
});
