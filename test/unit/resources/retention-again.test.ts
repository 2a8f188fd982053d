import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { messageOf, world } from "../../support/world.js";
import { anyRowId } from "../../support/ids.js";

const recordings = (args: object = {}) => ({
  kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, ...args },
});
const put = (days: number, enabled = true, kind = "recordings") =>
  `PUT /v1/retention-policies/${kind} {"retention_days":${days},"enabled":${enabled}}`;

describe("a lost answer", () => {
  test("of an update: the old values are kept, and the next up sends again", async () => {
    const { engine, faults, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings());
    faults({ operation: "putRetentionPolicy", status: 500, commit: true, count: 1 });
    const message = await messageOf(engine.up(recordings({ retentionDays: 120 })));
    expect(message).toContain("Whether it was carried out is unknown; sending it again does no harm.");
    expect(engine.inputsOf("kept")).toMatchObject({ retentionDays: 90 });
    expect(engine.outputsOf("kept")).toMatchObject({ retentionDays: 90, uncertain: "update" });
    forgetRequests();
    await engine.up(recordings({ retentionDays: 120 }));
    expect(journal()).toEqual([put(120)]);
    expect(engine.outputsOf("kept")).toEqual({
      requestId: anyRowId,
      organization: "acme",
      resource: "recordings",
      retentionDays: 120,
      enabled: true,
    });
  });

  test("of an update that is then taken back: the old values are sent, also after a refresh", async () => {
    const { engine, faults, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings());
    faults({ operation: "putRetentionPolicy", status: 500, commit: true, count: 1 });
    await messageOf(engine.up(recordings({ retentionDays: 120 })));
    await engine.refresh();
    forgetRequests();
    expect(engine.preview(recordings()).kept?.step).toBe("update");
    expect(await engine.up(recordings())).toEqual({ kept: "update" });
    expect(journal()).toEqual([put(90)]);
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
  });

  test("of a create: the resource is kept, and the next up sends again", async () => {
    const { engine, faults, journal, forgetRequests } = await world(retentionPolicy);
    faults({ operation: "putRetentionPolicy", connection: "reset", commit: true });
    await messageOf(engine.up(recordings()));
    faults();
    forgetRequests();
    expect(await engine.up(recordings())).toEqual({ kept: "update" });
    expect(journal()).toEqual([put(90)]);
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
  });

  test("a request that was refused leaves nothing uncertain", async () => {
    const { engine, faults } = await world(retentionPolicy);
    await engine.up(recordings());
    faults({ operation: "putRetentionPolicy", status: 403, count: 1 });
    await messageOf(engine.up(recordings({ retentionDays: 120 })));
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
  });
});

describe("reassertAfter", () => {
  test("sends the policy again once when due, and the preview names the date", async () => {
    const { engine, journal, forgetRequests, today } = await world(retentionPolicy);
    const program = recordings({ reassertAfter: "7d" });
    await engine.up(program);
    expect(engine.inputsOf("kept")).toMatchObject({ reassertOn: "2026-01-08" });
    forgetRequests();
    today("2026-01-07");
    expect(engine.preview(program).kept).toEqual({ step: "same", lines: [] });
    today("2026-01-08");
    expect(engine.preview(program).kept).toEqual({
      step: "update",
      lines: ["~ reassertOn: 2026-01-08 => 2026-01-15"],
    });
    await engine.up(program);
    expect(await engine.up(program)).toEqual({ kept: "same" });
    expect(journal()).toEqual([put(90)]);
  });

  test("weeks that nobody ran are one request, not one for each", async () => {
    const { engine, journal, forgetRequests, today } = await world(retentionPolicy);
    const program = recordings({ reassertAfter: "7d" });
    await engine.up(program);
    forgetRequests();
    today("2026-03-01");
    await engine.up(program);
    expect(engine.inputsOf("kept")).toMatchObject({ reassertOn: "2026-03-08" });
    expect(journal()).toEqual([put(90)]);
  });

  test("a due request that failed is due still", async () => {
    const { engine, faults, journal, forgetRequests, today } = await world(retentionPolicy);
    const program = recordings({ reassertAfter: "7d" });
    await engine.up(program);
    today("2026-01-08");
    faults({ operation: "putRetentionPolicy", status: 403, count: 1 });
    await messageOf(engine.up(program));
    forgetRequests();
    await engine.up(program);
    expect(journal()).toEqual([put(90)]);
  });

  test("adding or removing it sends nothing", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings());
    forgetRequests();
    expect(await engine.up(recordings({ reassertAfter: "7d" }))).toEqual({ kept: "same" });
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
    expect(engine.inputsOf("kept")).not.toHaveProperty("reassertOn");
    expect(journal()).toEqual([]);
  });
});

test("an update that only repeats a lost request says why, since no input shows it", async () => {
  const { engine, faults } = await world(retentionPolicy);
  await engine.up(recordings());
  faults({ operation: "putRetentionPolicy", status: 500, count: 1 });
  await messageOf(engine.up(recordings({ retentionDays: 120 })));
  await engine.refresh();
  engine.said();
  expect(engine.preview(recordings()).kept).toEqual({ step: "update", lines: [] });
  expect(engine.said()).toEqual([
    'warning: RetentionPolicy "recordings" of acme: it is unknown whether its last request was carried out.',
  ]);
});
