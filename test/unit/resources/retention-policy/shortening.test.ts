/** Where else the guard for fewer days looks than at the days of before. Its steps are in changes.test.ts. */
import type { Context } from "../../../../src/lifecycle/context.js";
import type { Lifecycle } from "../../../../src/lifecycle/lifecycle.js";
import { withRules } from "../../../../src/resources/definition.js";
import type { OrganizationScoped } from "../../../../src/lifecycle/object.js";
import { retentionPolicyLifecycle } from "../../../../src/resources/retention-policy/lifecycle.js";
import { messageOf, world, type World } from "../../../support/world.js";

const recordings = (retentionDays: number, args: object = {}) => ({
  kept: { resource: "recordings", onCreate: "overwrite", retentionDays, ...args },
});
const lifecycle = withRules(retentionPolicyLifecycle as unknown as Lifecycle);

/** A policy of 365 days that was applied. */
async function applied(): Promise<World> {
  const the = await world(retentionPolicyLifecycle);
  await the.engine.up(recordings(365));
  the.forgetRequests();
  return the;
}

test("another name of the organization is no way around it, because both names may mean the same organization", async () => {
  const { engine } = await applied();
  engine.around = { ...engine.around, organization: "other" };
  expect(() => engine.preview(recordings(90))).toThrow("365 => 90 deletes recordings");
  expect(engine.preview(recordings(365)).kept?.step).toBe("replace");
});

test("days of another state are known to a create, if this run has deleted that state", async () => {
  const { engine, journal } = await applied();
  const ctx: Context = engine.context();
  const { inputs } = lifecycle.check(ctx, {}, recordings(30).kept);
  await lifecycle.delete(ctx, engine.outputsOf("kept") as OrganizationScoped);
  expect(await messageOf(lifecycle.create(ctx, inputs))).toBe(
    'RetentionPolicy "recordings" of acme: retentionDays: 365 => 30 deletes recordings older than 30 days for good. ' +
      "If this is intended, add `allowShortening: { from: 365, to: 30 }` [retention-shortened]",
  );
  expect(journal()).toEqual([]);
});

test("days of a resource that moves to another provider are known from its check: the engine asks for no diff then", async () => {
  const ctx: Context = (await world(retentionPolicyLifecycle)).engine.context();
  const { inputs: olds } = lifecycle.check(ctx, {}, recordings(365).kept);
  lifecycle.check(ctx, olds, recordings(365).kept);
  expect(lifecycle.check(ctx, {}, recordings(30).kept).problems).toMatchObject([{ code: "retention-shortened" }]);
});
