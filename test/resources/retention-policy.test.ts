import { unknownValue } from "../../src/lifecycle.js";
import { retentionPolicy } from "../../src/resources/retention-policy.js";
import { messageOf, world } from "../support/world.js";

const recordings = (args: object = {}) => ({ kept: { resource: "recordings", retentionDays: 90, ...args } });
const put = (days: number, enabled = true, kind = "recordings") =>
  `PUT /v1/retention-policies/${kind} {"retention_days":${days},"enabled":${enabled}}`;

describe("requests", () => {
  test("create is one PUT of both fields, enabled unless said otherwise", async () => {
    const { engine, journal } = await world(retentionPolicy);
    expect(await engine.up(recordings())).toEqual({ kept: "create" });
    expect(journal()).toEqual([put(90)]);
    expect(engine.outputsOf("kept")).toEqual({
      account: "acme",
      resource: "recordings",
      retentionDays: 90,
      enabled: true,
      onDelete: "retain",
    });
  });

  test("the same program again sends nothing", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    journal();
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
    expect(await engine.up(recordings({ enabled: true }))).toEqual({ kept: "same" });
    expect(journal()).toEqual([]);
  });

  test("more days, or another enabled, is one PUT of the whole policy", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    journal();
    expect(await engine.up(recordings({ retentionDays: 91 }))).toEqual({ kept: "update" });
    expect(await engine.up(recordings({ retentionDays: 91, enabled: false }))).toEqual({ kept: "update" });
    expect(journal()).toEqual([put(91), put(91, false)]);
  });

  test("a refresh sends nothing and changes nothing", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    journal();
    await engine.refresh();
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
    expect(journal()).toEqual([]);
  });

  test("another kind is another object: the new one is set, the old one stays", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    journal();
    const program = { kept: { resource: "conversations", retentionDays: 7 } };
    expect(engine.preview(program).kept).toEqual({
      step: "replace",
      lines: ["~ resource: recordings => conversations", "~ retentionDays: 90 => 7"],
    });
    expect(await engine.up(program)).toEqual({ kept: "replace" });
    expect(journal()).toEqual([put(7, true, "conversations")]);
  });
});

describe("what destroy does", () => {
  test.each([
    ["nothing by default", {}, []],
    ["nothing for retain", { onDelete: "retain" }, []],
    ["sets enabled to false and keeps the days for disable", { onDelete: "disable" }, [put(90, false)]],
    ["sets what a setting says", { onDelete: { retentionDays: 365, enabled: true } }, [put(365)]],
  ])("%s", async (_name, args, expected) => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings(args));
    journal();
    await engine.destroy();
    expect(journal()).toEqual(expected);
  });

  test("a change of onDelete alone sends nothing, shows as an update, and destroy follows it", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    journal();
    const program = recordings({ onDelete: "disable" });
    expect(engine.preview(program).kept).toEqual({ step: "update", lines: ["~ onDelete: retain => disable"] });
    await engine.up(program);
    expect(journal()).toEqual([]);
    await engine.destroy();
    expect(journal()).toEqual([put(90, false)]);
  });

  test("a resource that the program dropped is deleted like a destroyed one", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings({ onDelete: "disable" }));
    journal();
    await engine.up({});
    expect(journal()).toEqual([put(90, false)]);
  });

  test("a delete that fails is an error, and is tried again by the next destroy", async () => {
    const { engine, journal, faults } = await world(retentionPolicy);
    await engine.up(recordings({ onDelete: "disable" }));
    faults({ operation: "putRetentionPolicy", effect: "status", status: 403, count: 1 });
    journal();
    expect(await messageOf(engine.destroy())).toContain("PUT /v1/retention-policies/recordings was refused: 403");
    await engine.destroy();
    expect(journal()).toEqual([put(90, false), put(90, false)]);
  });
});

describe("one object under two names, for a moment", () => {
  const policy = { resource: "recordings", retentionDays: 90, onDelete: "disable" };

  test("after a rename the policy is as declared: the old name's delete sends nothing and says so", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up({ old: policy });
    journal();
    await engine.up({ new: policy });
    expect(journal()).toEqual([put(90)]);
    expect(engine.said()).toEqual([
      'warning: RetentionPolicy "recordings" of acme: still declared by this program, so deleting it here sent nothing.',
    ]);
  });

  test("a rename that was interrupted before the delete ends in the same way", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up({ old: policy });
    await engine.up({ new: policy }, { interruptBeforeDeletes: true });
    journal();
    await engine.up({ new: policy });
    expect(journal()).toEqual([]);
  });

  test("--replace and taint set it again and delete nothing", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up({ kept: policy });
    journal();
    expect(await engine.up({ kept: policy }, { replace: ["kept"] })).toEqual({ kept: "replace" });
    expect(journal()).toEqual([put(90)]);
  });

  test("two that swap their kinds end as declared", async () => {
    const { engine, plane } = await world(retentionPolicy);
    const other = { resource: "conversations", retentionDays: 10, onDelete: "disable" };
    await engine.up({ a: policy, b: other });
    await engine.up({ a: { ...other, retentionDays: 20 }, b: { ...policy, retentionDays: 100 } });
    const now = plane.control.state().retentionPolicies.map((p) => [p.resource, p.retention_days, p.enabled]);
    expect(now.sort()).toEqual([
      ["conversations", 20, true],
      ["recordings", 100, true],
    ]);
  });

  test("an object that nobody declares any more is deleted although others are declared", async () => {
    const { engine, journal } = await world(retentionPolicy);
    const other = { resource: "conversations", retentionDays: 10 };
    await engine.up({ a: policy, b: other });
    journal();
    await engine.up({ b: other });
    expect(journal()).toEqual([put(90, false)]);
  });
});

describe("another organization", () => {
  test("is a replacement, and the old organization's object stays as it is", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings({ onDelete: "disable" }));
    engine.around = { ...engine.around, account: "other" };
    journal();
    const program = recordings({ onDelete: "disable" });
    expect(engine.preview(program).kept).toEqual({ step: "replace", lines: ["~ account: acme => other"] });
    await engine.up(program);
    expect(journal()).toEqual([put(90)]);
    expect(engine.said()).toEqual([
      'warning: RetentionPolicy "recordings" of acme: this provider talks to other, so nothing was sent and the object there stays as it is.',
    ]);
  });

  test("destroy and refresh through another organization's provider send nothing and warn", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings({ onDelete: "disable" }));
    engine.around = { ...engine.around, account: "other" };
    journal();
    await engine.refresh();
    await engine.destroy();
    expect(journal()).toEqual([]);
    expect(engine.said()).toEqual([
      'warning: RetentionPolicy "recordings" of acme: this provider talks to other, so nothing was sent and the state is kept as it is.',
      'warning: RetentionPolicy "recordings" of acme: this provider talks to other, so nothing was sent and the object there stays as it is.',
    ]);
  });
});

describe("fewer days", () => {
  const problem =
    "retentionDays: 365 => 90 deletes recordings older than 90 days for good. " +
    "If that is meant, add allowShortening: { from: 365, to: 90 }";

  test("are refused at preview, and nothing is sent", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    journal();
    expect(() => engine.preview(recordings())).toThrow(problem);
    expect(await messageOf(engine.up(recordings()))).toBe(problem);
    expect(journal()).toEqual([]);
  });

  test.each([
    ["the step", { from: 365, to: 90 }],
    ["a list with the step", [{ from: 90, to: 30 }, { from: 365, to: 90 }]], // prettier-ignore
  ])("are set where allowShortening names %s", async (_name, allowShortening) => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    journal();
    await engine.up(recordings({ allowShortening }));
    expect(journal()).toEqual([put(90)]);
  });

  test.each([
    ["another start", { from: 364, to: 90 }],
    ["another end, even a harmless one", { from: 365, to: 30 }],
    ["the steps on the way", [{ from: 365, to: 180 }, { from: 180, to: 90 }]], // prettier-ignore
    ["nothing", []],
  ])("are refused where allowShortening names %s", async (_name, allowShortening) => {
    const { engine } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    expect(await messageOf(engine.up(recordings({ allowShortening })))).toBe(problem);
  });

  test("a step that was allowed once and forgotten allows no other", async () => {
    const { engine } = await world(retentionPolicy);
    const allowShortening = { from: 365, to: 90 };
    await engine.up(recordings({ retentionDays: 365 }));
    await engine.up(recordings({ allowShortening }));
    expect(await messageOf(engine.up(recordings({ retentionDays: 30, allowShortening })))).toBe(
      "retentionDays: 90 => 30 deletes recordings older than 30 days for good. " +
        "If that is meant, add allowShortening: { from: 90, to: 30 }",
    );
  });

  test("an allowed step that the server refused may be tried again, and no step is lost from sight", async () => {
    const { engine, faults, journal } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    faults({ operation: "putRetentionPolicy", effect: "status", status: 402, count: 1 });
    const program = recordings({ allowShortening: { from: 365, to: 90 } });
    await messageOf(engine.up(program));
    journal();
    expect(() => engine.preview(recordings())).toThrow(problem);
    await engine.up(program);
    expect(journal()).toEqual([put(90)]);
  });

  test("in onDelete need the same permission", async () => {
    const { engine, journal } = await world(retentionPolicy);
    const onDelete = { retentionDays: 30, enabled: true };
    expect(await messageOf(engine.up(recordings({ onDelete })))).toBe(
      "onDelete.retentionDays: 90 => 30 deletes recordings older than 30 days for good. " +
        "If that is meant, add allowShortening: { from: 90, to: 30 }",
    );
    expect(journal()).toEqual([]);
    await engine.up(recordings({ onDelete, allowShortening: { from: 90, to: 30 } }));
    await engine.destroy();
    expect(journal()).toEqual([put(90), put(30)]);
  });

  test("of another organization, or of another kind, are no shortening", async () => {
    const { engine } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    expect(engine.preview({ kept: { resource: "conversations", retentionDays: 1 } }).kept?.step).toBe("replace");
    engine.around = { ...engine.around, account: "other" };
    expect(engine.preview(recordings()).kept?.step).toBe("replace");
  });
});

describe("a lost answer", () => {
  test("of an update: the old values are kept, and the next up sends again", async () => {
    const { engine, faults, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    faults({ operation: "putRetentionPolicy", effect: "status", status: 500, commit: true, count: 1 });
    const message = await messageOf(engine.up(recordings({ retentionDays: 120 })));
    expect(message).toContain("Whether it was carried out is unknown; sending it again does no harm.");
    expect(engine.inputsOf("kept")).toMatchObject({ retentionDays: 90 });
    expect(engine.outputsOf("kept")).toMatchObject({ retentionDays: 90, uncertain: "update" });
    journal();
    await engine.up(recordings({ retentionDays: 120 }));
    expect(journal()).toEqual([put(120)]);
    expect(engine.outputsOf("kept")).toEqual({
      account: "acme",
      resource: "recordings",
      retentionDays: 120,
      enabled: true,
      onDelete: "retain",
    });
  });

  test("of an update that is then taken back: the old values are sent, also after a refresh", async () => {
    const { engine, faults, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    faults({ operation: "putRetentionPolicy", effect: "status", status: 500, commit: true, count: 1 });
    await messageOf(engine.up(recordings({ retentionDays: 120 })));
    await engine.refresh();
    journal();
    expect(engine.preview(recordings()).kept?.step).toBe("update");
    expect(await engine.up(recordings())).toEqual({ kept: "update" });
    expect(journal()).toEqual([put(90)]);
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
  });

  test("of a create: the resource is kept, and the next up sends again", async () => {
    const { engine, faults, journal } = await world(retentionPolicy);
    faults({ operation: "putRetentionPolicy", effect: "reset", commit: true });
    await messageOf(engine.up(recordings()));
    faults();
    journal();
    expect(await engine.up(recordings())).toEqual({ kept: "update" });
    expect(journal()).toEqual([put(90)]);
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
  });

  test("a request that was refused leaves nothing uncertain", async () => {
    const { engine, faults } = await world(retentionPolicy);
    await engine.up(recordings());
    faults({ operation: "putRetentionPolicy", effect: "status", status: 403, count: 1 });
    await messageOf(engine.up(recordings({ retentionDays: 120 })));
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
  });
});

describe("reassertAfter", () => {
  test("sends the policy again once when due, and the preview names the date", async () => {
    const { engine, journal, today } = await world(retentionPolicy);
    const program = recordings({ reassertAfter: "7d" });
    await engine.up(program);
    expect(engine.inputsOf("kept")).toMatchObject({ reassertOn: "2026-01-08" });
    journal();
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
    const { engine, journal, today } = await world(retentionPolicy);
    const program = recordings({ reassertAfter: "7d" });
    await engine.up(program);
    journal();
    today("2026-03-01");
    await engine.up(program);
    expect(engine.inputsOf("kept")).toMatchObject({ reassertOn: "2026-03-08" });
    expect(journal()).toEqual([put(90)]);
  });

  test("a due request that failed is due still", async () => {
    const { engine, faults, journal, today } = await world(retentionPolicy);
    const program = recordings({ reassertAfter: "7d" });
    await engine.up(program);
    today("2026-01-08");
    faults({ operation: "putRetentionPolicy", effect: "status", status: 403, count: 1 });
    await messageOf(engine.up(program));
    journal();
    await engine.up(program);
    expect(journal()).toEqual([put(90)]);
  });

  test("adding or removing it sends nothing", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up(recordings());
    journal();
    expect(await engine.up(recordings({ reassertAfter: "7d" }))).toEqual({ kept: "same" });
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
    expect(engine.inputsOf("kept")).not.toHaveProperty("reassertOn");
    expect(journal()).toEqual([]);
  });
});

describe("values that are not known yet", () => {
  test.each(["retentionDays", "enabled", "onDelete", "allowShortening", "reassertAfter"])(
    "%s: the preview goes on, for a new and for an existing resource",
    async (property) => {
      const { engine } = await world(retentionPolicy);
      const program = recordings({ retentionDays: 365, [property]: unknownValue });
      expect(engine.preview(program).kept?.step).toBe("create");
      await engine.up(recordings({ retentionDays: 365 }));
      expect(["update", "same"]).toContain(engine.preview(program).kept?.step);
    },
  );

  test("an unknown kind previews as a replacement", async () => {
    const { engine } = await world(retentionPolicy);
    await engine.up(recordings());
    expect(engine.preview(recordings({ resource: unknownValue })).kept?.step).toBe("replace");
  });

  test("inside onDelete too", async () => {
    const { engine } = await world(retentionPolicy);
    const program = recordings({ onDelete: { retentionDays: unknownValue, enabled: true } });
    expect(engine.preview(program).kept?.step).toBe("create");
  });
});

test("fewer days preview where it is not known yet whether the step is allowed", async () => {
  const { engine } = await world(retentionPolicy);
  await engine.up(recordings({ retentionDays: 365 }));
  for (const allowShortening of [unknownValue, { from: 365, to: unknownValue }, [unknownValue]]) {
    expect(engine.preview(recordings({ allowShortening })).kept?.step).toBe("update");
  }
});

test("a wrong number of days is said to be wrong, and not offered as a step to allow", async () => {
  const { engine } = await world(retentionPolicy);
  await engine.up(recordings({ retentionDays: 365 }));
  expect(await messageOf(engine.up(recordings({ retentionDays: 0 })))).toBe(
    "retentionDays: must be a whole number of days from 1 to 3650",
  );
});

test("an update that only repeats a lost request says why, since no input shows it", async () => {
  const { engine, faults } = await world(retentionPolicy);
  await engine.up(recordings());
  faults({ operation: "putRetentionPolicy", effect: "status", status: 500, count: 1 });
  await messageOf(engine.up(recordings({ retentionDays: 120 })));
  await engine.refresh();
  engine.said();
  expect(engine.preview(recordings()).kept).toEqual({ step: "update", lines: [] });
  expect(engine.said()).toEqual([
    'warning: RetentionPolicy "recordings" of acme: the answer to its last request was lost, so whether that was carried out is unknown.',
  ]);
});
