import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { ids, messageOf, world } from "../../support/world.js";

const carrier = (args: object = {}) => ({ carrier: { trunkId: ids.trunk, cleared: true, ...args } });
const clear = `DELETE /v1/trunks/${ids.trunk}/outbound-auth`;

test("a trunk that does not exist fails its create, and nothing is kept", async () => {
  const { engine } = await world(trunkOutboundAuth);
  const program = { gone: { trunkId: "b0000000-0000-4000-8000-0000000000ff", cleared: true } };
  expect(await messageOf(engine.up(program))).toContain("404 NOT_FOUND");
  expect(engine.outputsOf("gone")).toBeUndefined();
});

test("on destroy, a trunk that is gone is as good as cleared", async () => {
  const { engine, plane, journal, forgetRequests } = await world(trunkOutboundAuth);
  await engine.up(carrier({ onDelete: "clear" }));
  plane.control.seed({ remove: [ids.trunk] });
  forgetRequests();
  await engine.destroy();
  expect(journal()).toEqual([clear]);
  expect(engine.said()).toEqual([]);
});

test("on destroy, another refusal, such as of the token's scope, is an error", async () => {
  const { engine, plane, talkTo } = await world(trunkOutboundAuth);
  await engine.up(carrier({ onDelete: "clear" }));
  talkTo(plane.url, plane.tokens.withoutTrunksWrite);
  expect(await messageOf(engine.destroy())).toContain("The token needs the scope trunks:write.");
});

test("a trunk that is only tracked is not cleared by a rename, nor by a move to another organization", async () => {
  const { engine, plane } = await world(trunkOutboundAuth);
  const tracked = { trunkId: ids.trunk, cleared: false, onDelete: "clear" };
  await engine.up({ old: tracked });
  await engine.up({ renamed: tracked });
  engine.around = { ...engine.around, organization: "other" };
  await engine.up({ renamed: tracked });
  expect(plane.control.state().trunks[0]).toMatchObject({ id: ids.trunk, outbound_auth: "set" });
});

test("a create whose answer was lost and that is taken back sends nothing, since nothing could undo it", async () => {
  const { engine, faults, journal, forgetRequests } = await world(trunkOutboundAuth);
  faults({ operation: "clearTrunkOutboundAuth", connection: "reset", commit: true });
  await messageOf(engine.up(carrier()));
  faults();
  forgetRequests();
  await engine.up(carrier({ cleared: false }));
  expect(journal()).toEqual([]);
  expect(engine.outputsOf("carrier")).not.toHaveProperty("uncertain");
});

test("a trunk that is only tracked has nothing to confirm", async () => {
  const { engine } = await world(trunkOutboundAuth);
  const adopted = (cleared: boolean) => carrier({ cleared, onCreate: "adopt" });
  await engine.up(adopted(false));
  expect(engine.outputsOf("carrier")).not.toHaveProperty("confirmed");
  await engine.up({});
  await engine.up(adopted(true));
  await engine.up(adopted(false));
  expect(engine.outputsOf("carrier")).not.toHaveProperty("confirmed");
});
