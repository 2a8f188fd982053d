import { unknownValue } from "../../../src/values/engine.js";
import { withOrganizationRules } from "../../../src/resources/rules.js";
import { type Context, type Lifecycle, type OrganizationScoped } from "../../../src/resources/lifecycle.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { messageOf, world } from "../../support/world.js";

const recordings = (args: object = {}) => ({
  kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, ...args },
});
const put = (days: number, enabled = true, kind = "recordings") =>
  `PUT /v1/retention-policies/${kind} {"retention_days":${days},"enabled":${enabled}}`;

describe("fewer days", () => {
  const problem =
    "365 => 90 deletes recordings older than 90 days for good. " +
    "If this is intended, add allowShortening: { from: 365, to: 90 }";

  test("are refused at preview, and nothing is sent", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    forgetRequests();
    expect(() => engine.preview(recordings())).toThrow(problem);
    expect(await messageOf(engine.up(recordings()))).toBe(problem);
    expect(journal()).toEqual([]);
  });

  test.each([
    ["the step", { from: 365, to: 90 }],
    ["a list with the step", [{ from: 90, to: 30 }, { from: 365, to: 90 }]], // prettier-ignore
  ])("are set where allowShortening names %s", async (_name, allowShortening) => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    forgetRequests();
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
      "90 => 30 deletes recordings older than 30 days for good. " +
        "If this is intended, add allowShortening: { from: 90, to: 30 }",
    );
  });

  test("an allowed step that the server refused may be tried again, and no step is lost from sight", async () => {
    const { engine, faults, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    faults({ operation: "putRetentionPolicy", status: 402, count: 1 });
    const program = recordings({ allowShortening: { from: 365, to: 90 } });
    await messageOf(engine.up(program));
    forgetRequests();
    expect(() => engine.preview(recordings())).toThrow(problem);
    await engine.up(program);
    expect(journal()).toEqual([put(90)]);
  });

  test("in onDelete need the same permission", async () => {
    const { engine, journal } = await world(retentionPolicy);
    const onDelete = { retentionDays: 30, enabled: true };
    expect(await messageOf(engine.up(recordings({ onDelete })))).toBe(
      "onDelete.retentionDays: 90 => 30 deletes recordings older than 30 days for good. " +
        "If this is intended, add allowShortening: { from: 90, to: 30 }",
    );
    expect(journal()).toEqual([]);
    await engine.up(recordings({ onDelete, allowShortening: { from: 90, to: 30 } }));
    await engine.destroy();
    expect(journal()).toEqual([put(90), put(30)]);
  });

  test("are refused too if the organization has another name, because both names may mean the same organization", async () => {
    const { engine } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    engine.around = { ...engine.around, organization: "other" };
    expect(() => engine.preview(recordings())).toThrow("365 => 90 deletes recordings");
    expect(engine.preview(recordings({ retentionDays: 365 })).kept?.step).toBe("replace");
  });
});

const sameKind = (before: string, now: string) =>
  `resource: this policy is for ${before} and cannot be for ${now}, because nothing here knows how long ${now} are kept: ` +
  `leave ${before} here, and declare ${now} in a resource of its own`;

test.each([
  ["also with more days", { resource: "conversations", retentionDays: 365, onCreate: "overwrite" }],
  ["also if it is adopted", { resource: "conversations", retentionDays: 90, onCreate: "adopt" }],
])("a policy keeps its kind of data, %s", async (_name, kept) => {
  const { engine, journal, forgetRequests } = await world(retentionPolicy);
  await engine.up(recordings());
  forgetRequests();
  expect(() => engine.preview({ kept })).toThrow(sameKind("recordings", "conversations"));
  expect(await messageOf(engine.up({ kept }))).toBe(sameKind("recordings", "conversations"));
  expect(journal()).toEqual([]);
});

test("days that another row had are known to a create, if this run has deleted that row", async () => {
  const { engine, journal, forgetRequests } = await world(retentionPolicy);
  await engine.up(recordings({ retentionDays: 365 }));
  forgetRequests();
  const lifecycle = withOrganizationRules(retentionPolicy as unknown as Lifecycle);
  const ctx: Context = { ...engine.context(), organization: "acme" };
  const { inputs } = lifecycle.check(ctx, {}, recordings({ retentionDays: 30 }).kept);
  await lifecycle.delete(ctx, engine.outputsOf("kept") as OrganizationScoped);
  expect(await messageOf(lifecycle.create(ctx, inputs))).toBe(
    'RetentionPolicy "recordings" of acme: 365 => 30 deletes recordings older than 30 days for good. ' +
      "If this is intended, add allowShortening: { from: 365, to: 30 }",
  );
  expect(journal()).toEqual([]);
});

test("an import file with more days among its outputs than among its inputs is refused before the PUT", async () => {
  const { engine, journal } = await world(retentionPolicy);
  const lifecycle = withOrganizationRules(retentionPolicy as unknown as Lifecycle);
  const ctx: Context = { ...engine.context(), organization: "acme" };
  const { inputs } = lifecycle.check(ctx, {}, recordings().kept);
  const state = { organization: "acme", resource: "recordings", retentionDays: 365, enabled: true, confirmed: false };
  lifecycle.diff(ctx, state, inputs);
  expect(await messageOf(lifecycle.update(ctx, state, inputs))).toContain(
    "365 => 90 deletes recordings older than 90 days",
  );
  expect(journal()).toEqual([]);
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
