import { unknownValue } from "../../../src/values/engine.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { messageOf, world } from "../../support/world.js";
import { anyRowId } from "../../support/ids.js";

const recordings = (args: object = {}) => ({
  kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, ...args },
});
const put = (days: number, enabled = true, kind = "recordings") =>
  `PUT /v1/retention-policies/${kind} {"retention_days":${days},"enabled":${enabled}}`;

describe("requests", () => {
  test("create is one PUT of both fields, enabled unless said otherwise", async () => {
    const { engine, journal } = await world(retentionPolicy);
    expect(await engine.up(recordings())).toEqual({ kept: "create" });
    expect(journal()).toEqual([put(90)]);
    expect(engine.outputsOf("kept")).toEqual({
      requestId: anyRowId,
      organization: "acme",
      resource: "recordings",
      retentionDays: 90,
      enabled: true,
    });
  });

  test("a refresh sends nothing and changes nothing", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings());
    forgetRequests();
    await engine.refresh();
    expect(await engine.up(recordings())).toEqual({ kept: "same" });
    expect(journal()).toEqual([]);
  });
});

describe("what destroy does", () => {
  test("a delete that fails is an error, and is tried again by the next destroy", async () => {
    const { engine, journal, forgetRequests, faults } = await world(retentionPolicy);
    await engine.up(recordings({ onDelete: "disable" }));
    faults({ operation: "putRetentionPolicy", status: 403, count: 1 });
    forgetRequests();
    expect(await messageOf(engine.destroy())).toContain("PUT /v1/retention-policies/recordings was refused: 403");
    await engine.destroy();
    expect(journal()).toEqual([put(90, false), put(90, false)]);
  });
});

describe("one object under two names, for a moment", () => {
  const policy = { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" };

  test("after a rename the policy is as declared: the old name's delete sends nothing and says so", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up({ old: policy });
    forgetRequests();
    await engine.up({ new: policy });
    expect(journal()).toEqual([put(90)]);
    expect(engine.said()).toEqual([
      'warning: RetentionPolicy "recordings" of acme: still declared by this program, so deleting it here sent nothing.',
    ]);
  });

  test("a rename that was interrupted before the delete ends in the same way", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up({ old: policy });
    await engine.up({ new: policy }, { interruptBeforeDeletes: true });
    forgetRequests();
    await engine.up({ new: policy });
    expect(journal()).toEqual([]);
  });

  test("--replace and taint set it again and delete nothing", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up({ kept: policy });
    forgetRequests();
    expect(await engine.up({ kept: policy }, { replace: ["kept"] })).toEqual({ kept: "replace" });
    expect(journal()).toEqual([put(90)]);
  });

  test("an object that nobody declares any more is deleted although others are declared", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    const other = { resource: "conversations", onCreate: "overwrite", retentionDays: 10 };
    await engine.up({ a: policy, b: other });
    forgetRequests();
    await engine.up({ b: other });
    expect(journal()).toEqual([put(90, false)]);
  });
});

describe("another organization", () => {
  test("is a replacement, and the old organization's object stays as it is", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings({ onDelete: "disable" }));
    engine.around = { ...engine.around, organization: "other" };
    forgetRequests();
    const program = recordings({ onDelete: "disable" });
    expect(engine.preview(program).kept).toEqual({ step: "replace", lines: ["~ organization: acme => other"] });
    await engine.up(program);
    expect(journal()).toEqual([put(90)]);
    expect(engine.said()).toEqual([
      'warning: RetentionPolicy "recordings" of acme: this provider talks to other, so nothing was sent and the object there stays as it is.',
    ]);
  });

  test("destroy and refresh through another organization's provider send nothing and warn", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings({ onDelete: "disable" }));
    engine.around = { ...engine.around, organization: "other" };
    forgetRequests();
    await engine.refresh();
    await engine.destroy();
    expect(journal()).toEqual([]);
    expect(engine.said()).toEqual([
      'warning: RetentionPolicy "recordings" of acme: this provider talks to other, so nothing was sent and the state is kept as it is.',
      'warning: RetentionPolicy "recordings" of acme: this provider talks to other, so nothing was sent and the object there stays as it is.',
    ]);
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
