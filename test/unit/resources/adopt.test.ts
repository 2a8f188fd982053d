/** Settings that `onCreate: "adopt"` takes over: nothing is sent until a value changes, and every guard holds from the first change on. */
import type { Values } from "../../../src/resources/lifecycle.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { anyRowId } from "../../support/ids.js";
import { settings } from "../../support/resources/settings.js";
import { ids, messageOf, world } from "../../support/world.js";

const recordings = (args: Values = {}) => ({
  kept: { resource: "recordings", retentionDays: 365, onCreate: "adopt", ...args },
});
const put = (days: number, kind = "recordings") =>
  `PUT /v1/retention-policies/${kind} {"retention_days":${days},"enabled":true}`;

describe.each(settings)("a $type", ({ lifecycle, args: declared, state: adopted, change, changed }) => {
  const program = (args: Values = {}) => ({ kept: { ...declared, onCreate: "adopt", ...args } });

  test("is adopted without a request, and its state says that it was not confirmed", async () => {
    const { engine, journal } = await world(lifecycle);
    expect(await engine.up(program())).toEqual({ kept: "create" });
    expect(await engine.up(program())).toEqual({ kept: "same" });
    await engine.refresh();
    expect(await engine.up(program())).toEqual({ kept: "same" });
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("kept")).toEqual({
      organization: "acme",
      ...adopted,
      confirmed: false,
      requestId: anyRowId,
    });
  });

  test("is sent by the first change, and then counts as confirmed", async () => {
    const { engine, journal } = await world(lifecycle);
    await engine.up(program());
    expect(await engine.up(program(change))).toEqual({ kept: "update" });
    expect(journal()).toEqual([changed]);
    expect(engine.outputsOf("kept")).not.toHaveProperty("confirmed");
  });

  test("stays unconfirmed while the first request is refused, or its answer is lost", async () => {
    const { engine, faults, journal } = await world(lifecycle);
    await engine.up(program());
    faults({ operation: "*", status: 403, count: 1 });
    await messageOf(engine.up(program(change)));
    expect(engine.outputsOf("kept")).toMatchObject({ ...adopted, confirmed: false });
    faults({ operation: "*", connection: "reset", commit: true });
    await messageOf(engine.up(program(change)));
    expect(engine.outputsOf("kept")).toMatchObject({ ...adopted, confirmed: false, uncertain: "update" });
    faults();
    journal();
    await engine.up(program(change));
    expect(journal()).toEqual([changed]);
    expect(engine.outputsOf("kept")).not.toHaveProperty("confirmed");
  });

  test("stores other arguments, onCreate too, without a request", async () => {
    const { engine, journal } = await world(lifecycle);
    await engine.up(program());
    await engine.up({ kept: { ...declared, reassertAfter: "7d" } });
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("kept")).toMatchObject({ confirmed: false });
  });

  test("is due a period after its adoption, not before", async () => {
    const { engine, journal, today } = await world(lifecycle);
    await engine.up(program({ reassertAfter: "7d" }));
    today("2026-01-07");
    expect(await engine.up(program({ reassertAfter: "7d" }))).toEqual({ kept: "same" });
    today("2026-01-08");
    await engine.up(program({ reassertAfter: "7d" }));
    expect(journal()).toHaveLength(1);
    expect(engine.outputsOf("kept")).not.toHaveProperty("confirmed");
  });
});

test("a trunk that is only tracked has nothing to confirm", async () => {
  const { engine, journal } = await world(trunkOutboundAuth);
  const program = (cleared: boolean) => ({ kept: { trunkId: ids.trunk, cleared, onCreate: "adopt" } });
  await engine.up(program(false));
  expect(engine.outputsOf("kept")).not.toHaveProperty("confirmed");
  expect(journal()).toEqual([]);
  await engine.up(program(true));
  expect(journal()).toEqual([`DELETE /v1/trunks/${ids.trunk}/outbound-auth`]);
  await engine.up({ other: { trunkId: ids.otherTrunk, cleared: true, onCreate: "adopt" } });
  await engine.up({ other: { trunkId: ids.otherTrunk, cleared: false, onCreate: "adopt" } });
  expect(engine.outputsOf("other")).not.toHaveProperty("confirmed");
});

test("fewer days than the adopted ones are refused, until the step is allowed", async () => {
  const { engine, journal } = await world(retentionPolicy);
  await engine.up(recordings());
  expect(await messageOf(engine.up(recordings({ retentionDays: 90 })))).toContain(
    "365 => 90 deletes recordings older than 90 days for good.",
  );
  expect(journal()).toEqual([]);
  await engine.up(recordings({ retentionDays: 90, allowShortening: { from: 365, to: 90 } }));
  expect(journal()).toEqual([put(90)]);
});

test("another word for onCreate is refused", async () => {
  const { engine } = await world(retentionPolicy);
  expect(await messageOf(engine.up(recordings({ onCreate: "take" })))).toContain('onCreate: must be "overwrite" (');
});

describe("a replacement", () => {
  test("of the same object adopts it again, also with other values: the server keeps what it has", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    await engine.up(recordings({ retentionDays: 730 }), { replace: ["kept"] });
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("kept")).toMatchObject({ retentionDays: 730, confirmed: false });
    await engine.up({ renamed: recordings({ retentionDays: 730 }).kept });
    expect(journal()).toEqual([]);
    expect(engine.outputsOf("renamed")).toMatchObject({ confirmed: false });
  });
});
