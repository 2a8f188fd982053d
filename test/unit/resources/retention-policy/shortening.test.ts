/** Where else the guard for fewer days looks than at the days of before. Its steps are in changes.test.ts. */
import { retentionPolicyLifecycle } from "../../../../src/resources/retention-policy/lifecycle.js";
import { world } from "../../../support/world.js";

test("another name of the organization is no way around it, because both names may mean the same organization", async () => {
  const recordings = (retentionDays: number) => ({
    kept: { resource: "recordings", onCreate: "overwrite", retentionDays },
  });
  const { engine } = await world(retentionPolicyLifecycle);
  await engine.up(recordings(365));
  engine.around = { ...engine.around, organization: "other" };
  expect(() => engine.preview(recordings(90))).toThrow("365 => 90 deletes recordings");
  expect(engine.preview(recordings(365)).kept?.step).toBe("replace");
});
