import { unknownValue } from "../../../src/values/engine.js";
import { withOrganizationRules } from "../../../src/resources/rules.js";
import {
  checkInRun,
  type Context,
  type Lifecycle,
  type OrganizationScoped,
  type Values,
} from "../../../src/resources/lifecycle.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { messageOf, world } from "../../support/world.js";

const recordings = (args: object = {}) => ({
  kept: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, ...args },
});
const put = (days: number, enabled = true, kind = "recordings") =>
  `PUT /v1/retention-policies/${kind} {"retention_days":${days},"enabled":${enabled}}`;

describe("fewer days", () => {
  const problem =
    "retentionDays: 365 => 90 deletes recordings older than 90 days for good. " +
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
      "retentionDays: 90 => 30 deletes recordings older than 30 days for good. " +
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

  test("are accepted if the policy is now of another kind of data", async () => {
    const { engine } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    expect(
      engine.preview({ kept: { resource: "conversations", onCreate: "overwrite", retentionDays: 1 } }).kept?.step,
    ).toBe("replace");
  });

  test("are refused too if the organization has another name, because both names may mean the same organization", async () => {
    const { engine } = await world(retentionPolicy);
    await engine.up(recordings({ retentionDays: 365 }));
    engine.around = { ...engine.around, organization: "other" };
    expect(() => engine.preview(recordings())).toThrow("retentionDays: 365 => 90 deletes recordings");
    expect(engine.preview(recordings({ retentionDays: 365 })).kept?.step).toBe("replace");
  });
});

describe("of two policies that swap their kinds", () => {
  const policy = (resource: string, retentionDays: number, args: object = {}) => ({
    resource,
    onCreate: "overwrite",
    retentionDays,
    ...args,
  });
  const before = { a: policy("recordings", 365), b: policy("audit_events", 30) };
  const there =
    "recordings: 365 => 30 deletes recordings older than 30 days for good. " +
    "If this is intended, add allowShortening: { from: 365, to: 30 }";

  test("fewer days of the second are refused at its own check, which comes after the first one's", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(before);
    forgetRequests();
    const swapped = { a: policy("audit_events", 365), b: policy("recordings", 30) };
    expect(() => engine.preview(swapped)).toThrow(`retentionDays: ${there.slice("recordings: ".length)}`);
    expect(journal()).toEqual([]);
  });

  test("fewer days of the first are refused at the check of the second, which knows the old ones", async () => {
    const { engine } = await world(retentionPolicy);
    await engine.up({ b: before.b, a: before.a });
    const swapped = { b: policy("recordings", 30), a: policy("audit_events", 365) };
    expect(() => engine.preview(swapped)).toThrow(
      "resource: the policy that was for audit_events now declares recordings: 365 => 30 deletes recordings older than 30 days " +
        "for good. If this is intended, add allowShortening: { from: 365, to: 30 } there",
    );
  });

  test("fewer days of a new policy that takes over a kind are refused, and the message says that it is new", async () => {
    const { engine } = await world(retentionPolicy);
    await engine.up({ a: before.a });
    const taken = { b: policy("recordings", 30), a: policy("audit_events", 365) };
    expect(() => engine.preview(taken)).toThrow("resource: a new policy now declares recordings: 365 => 30 deletes");
  });

  test("a step that the new policy of the kind allows is set, and so are more days", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up(before);
    forgetRequests();
    const allowShortening = { from: 365, to: 30 };
    await engine.up({ a: policy("audit_events", 365), b: policy("recordings", 30, { allowShortening }) });
    expect(journal().sort()).toEqual([put(365, true, "audit_events"), put(30)]);
  });

  test("a step that the new policy allows is set too where that one is checked first", async () => {
    const { engine, journal } = await world(retentionPolicy);
    await engine.up({ b: before.b, a: before.a });
    journal();
    const allowShortening = { from: 365, to: 30 };
    await engine.up({ b: policy("recordings", 30, { allowShortening }), a: policy("audit_events", 365) });
    expect(journal().sort()).toEqual([put(365, true, "audit_events"), put(30)]);
  });

  test("a check that is asked again, or of a kind that two others take over, says one problem", async () => {
    const { engine } = await world(retentionPolicy);
    const olds = { organization: "acme", ...before.a } as Partial<OrganizationScoped>;
    const lifecycle = withOrganizationRules(retentionPolicy as unknown as Lifecycle);
    const propertiesOf = (ctx: Context, old: Partial<OrganizationScoped>, news: Values) =>
      checkInRun(lifecycle, ctx, old, news).problems.map(({ property }) => property);
    const again = engine.context();
    const asked = [1, 2].map(() => propertiesOf(again, olds, policy("recordings", 30)));
    expect(asked).toEqual([["retentionDays"], ["retentionDays"]]);
    const taken = engine.context();
    for (const days of [30, 20]) expect(propertiesOf(taken, {}, policy("recordings", days))).toEqual([]);
    expect(propertiesOf(taken, olds, policy("audit_events", 365))).toEqual(["resource"]);
  });

  test("a step that another check saw too late is refused before the PUT", async () => {
    const { engine, journal, forgetRequests } = await world(retentionPolicy);
    await engine.up({ a: before.a });
    forgetRequests();
    const lifecycle = withOrganizationRules(retentionPolicy as unknown as Lifecycle);
    const ctx: Context = { ...engine.context(), organization: "acme" };
    const { inputs } = lifecycle.check(ctx, {}, policy("recordings", 30));
    lifecycle.diff(
      ctx,
      engine.outputsOf("a") as OrganizationScoped,
      { organization: "acme", resource: "conversations" } as OrganizationScoped,
    );
    expect(await messageOf(lifecycle.create(ctx, inputs))).toBe(
      `RetentionPolicy "recordings" of acme: retentionDays: ${there.slice(12)}`,
    );
    expect(journal()).toEqual([]);
  });
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

test("fewer days in onDelete preview where the days before them are not known yet", async () => {
  const { engine } = await world(retentionPolicy);
  const program = recordings({ retentionDays: unknownValue, onDelete: { retentionDays: 30, enabled: true } });
  expect(engine.preview(program).kept?.step).toBe("create");
});

test("a wrong number of days is said to be wrong, and not offered as a step to allow", async () => {
  const { engine } = await world(retentionPolicy);
  await engine.up(recordings({ retentionDays: 365 }));
  expect(await messageOf(engine.up(recordings({ retentionDays: 0 })))).toBe(
    "retentionDays: must be a whole number of days from 1 to 3650",
  );
});
