import { unknownValue } from "../../../src/values/engine.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { ids, messageOf, world } from "../../support/world.js";
import { anyRowId } from "../../support/ids.js";

const carrier = (args: object = {}) => ({ carrier: { trunkId: ids.trunk, cleared: true, ...args } });
const clear = (id: string = ids.trunk) => `DELETE /v1/trunks/${id}/outbound-auth`;

describe("requests", () => {
  test("cleared: true clears once, and the same program again sends nothing", async () => {
    const { engine, journal } = await world(trunkOutboundAuth);
    await engine.up(carrier());
    expect(await engine.up(carrier())).toEqual({ carrier: "same" });
    await engine.refresh();
    expect(journal()).toEqual([clear()]);
    expect(engine.outputsOf("carrier")).toEqual({
      requestId: anyRowId,
      organization: "acme",
      trunkId: ids.trunk,
      cleared: true,
    });
  });

  test("a changed trigger clears once more, also one that was added or removed", async () => {
    const { engine, journal } = await world(trunkOutboundAuth);
    await engine.up(carrier());
    await engine.up(carrier({ triggers: { audit: 1 } }));
    await engine.up(carrier({ triggers: { audit: 1 } }));
    await engine.up(carrier({ triggers: { audit: 2 } }));
    await engine.up(carrier());
    expect(journal()).toEqual([clear(), clear(), clear(), clear()]);
  });

  test("cleared: false sends nothing, whatever changes", async () => {
    const { engine, journal, today } = await world(trunkOutboundAuth);
    await engine.up(carrier({ cleared: false }));
    await engine.up(carrier({ cleared: false, triggers: { audit: 1 }, reassertAfter: "1d" }));
    today("2026-02-01");
    await engine.up(carrier({ cleared: false, triggers: { audit: 2 }, reassertAfter: "1d" }));
    expect(journal()).toEqual([]);
  });

  test("from false to true clears, from true to false sends nothing and is stored", async () => {
    const { engine, journal } = await world(trunkOutboundAuth);
    await engine.up(carrier({ cleared: false }));
    await engine.up(carrier());
    expect(journal()).toEqual([clear()]);
    expect(await engine.up(carrier({ cleared: false }))).toEqual({ carrier: "update" });
    expect(engine.outputsOf("carrier")).toMatchObject({ cleared: false });
    expect(journal()).toEqual([]);
  });

  test("a trunk that does not exist fails its create, and nothing is kept", async () => {
    const { engine } = await world(trunkOutboundAuth);
    const program = { gone: { trunkId: "b0000000-0000-4000-8000-0000000000ff", cleared: true } };
    expect(await messageOf(engine.up(program))).toContain("404 NOT_FOUND");
    expect(engine.outputsOf("gone")).toBeUndefined();
  });

  test("a due reassertOn clears once", async () => {
    const { engine, journal, forgetRequests, today } = await world(trunkOutboundAuth);
    const program = carrier({ reassertAfter: "30d" });
    await engine.up(program);
    forgetRequests();
    today("2026-02-01");
    await engine.up(program);
    await engine.up(program);
    expect(journal()).toEqual([clear()]);
  });
});

describe("what destroy does", () => {
  test.each([
    ["nothing by default", {}, []],
    ["clears for clear, also what was only tracked", { cleared: false, onDelete: "clear" }, [clear()]],
  ])("%s", async (_name, args, expected) => {
    const { engine, journal, forgetRequests } = await world(trunkOutboundAuth);
    await engine.up(carrier(args));
    forgetRequests();
    await engine.destroy();
    expect(journal()).toEqual(expected);
  });

  test("a trunk that is gone is as good as cleared", async () => {
    const { engine, plane, journal, forgetRequests } = await world(trunkOutboundAuth);
    await engine.up(carrier({ onDelete: "clear" }));
    plane.control.seed({ remove: [ids.trunk] });
    forgetRequests();
    await engine.destroy();
    expect(journal()).toEqual([clear()]);
    expect(engine.said()).toEqual([]);
  });

  test("a token without the scope fails the destroy", async () => {
    const { engine, plane, talkTo } = await world(trunkOutboundAuth);
    await engine.up(carrier({ onDelete: "clear" }));
    talkTo(plane.url, plane.tokens.withoutTrunksWrite);
    expect(await messageOf(engine.destroy())).toContain("The token needs the scope trunks:write.");
  });

  test("a change of onDelete alone sends nothing, and destroy follows it", async () => {
    const { engine, journal } = await world(trunkOutboundAuth);
    await engine.up(carrier({ cleared: false }));
    expect(await engine.up(carrier({ cleared: false, onDelete: "clear" }))).toEqual({ carrier: "update" });
    expect(journal()).toEqual([]);
    await engine.destroy();
    expect(journal()).toEqual([clear()]);
  });

  test("a renamed resource that clears on delete clears nothing where the new one only tracks", async () => {
    const { engine, plane } = await world(trunkOutboundAuth);
    const tracked = { trunkId: ids.trunk, cleared: false, onDelete: "clear" };
    await engine.up({ old: tracked });
    await engine.up({ renamed: tracked });
    expect(plane.control.state().trunks[0]).toMatchObject({ id: ids.trunk, outbound_auth: "set" });
  });

  test("an old organization's destroy never reaches the new one", async () => {
    const { engine, journal } = await world(trunkOutboundAuth);
    await engine.up(carrier({ cleared: false, onDelete: "clear" }));
    engine.around = { ...engine.around, organization: "other" };
    await engine.up(carrier({ cleared: false, onDelete: "clear" }));
    expect(journal()).toEqual([]);
  });
});

describe("a lost answer", () => {
  test("of a create: the next up clears again", async () => {
    const { engine, faults, journal, forgetRequests } = await world(trunkOutboundAuth);
    faults({ operation: "clearTrunkOutboundAuth", connection: "reset" });
    await messageOf(engine.up(carrier()));
    faults();
    forgetRequests();
    await engine.refresh();
    expect(await engine.up(carrier())).toEqual({ carrier: "update" });
    expect(journal()).toEqual([clear()]);
  });

  test("of a create that is taken back: nothing is sent, since nothing could undo it", async () => {
    const { engine, faults, journal, forgetRequests } = await world(trunkOutboundAuth);
    faults({ operation: "clearTrunkOutboundAuth", connection: "reset", commit: true });
    await messageOf(engine.up(carrier()));
    faults();
    forgetRequests();
    await engine.up(carrier({ cleared: false }));
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("carrier")).not.toHaveProperty("uncertain");
  });

  test("of a trigger's clear: taking the trigger back still clears", async () => {
    const { engine, faults, journal, forgetRequests } = await world(trunkOutboundAuth);
    await engine.up(carrier());
    faults({ operation: "clearTrunkOutboundAuth", status: 500, count: 1 });
    await messageOf(engine.up(carrier({ triggers: { audit: 1 } })));
    await engine.refresh();
    forgetRequests();
    await engine.up(carrier());
    expect(journal()).toEqual([clear()]);
  });
});

test.each(["cleared", "triggers", "onDelete", "reassertAfter"])("%s may be unknown in a preview", async (property) => {
  const { engine } = await world(trunkOutboundAuth);
  expect(engine.preview(carrier({ [property]: unknownValue })).carrier?.step).toBe("create");
  await engine.up(carrier());
  expect(["update", "same"]).toContain(engine.preview(carrier({ [property]: unknownValue })).carrier?.step);
});

test("one trigger of several may be unknown in a preview, which then shows an update", async () => {
  const { engine } = await world(trunkOutboundAuth);
  await engine.up(carrier({ triggers: { audit: 1 } }));
  expect(engine.preview(carrier({ triggers: { audit: unknownValue } })).carrier?.step).toBe("update");
});
