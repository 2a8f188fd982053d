/** A clock that jumps, with the real engine. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { preloading } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";

const crm = (args: string) => `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", ${args} });`;
const rotations = (stack: Project) => rotationsOf(stack)[ids.crm];

test("a clock that jumps during a rotation neither cuts it short nor repeats it", async () => {
  const stack = await project({ program: crm('rotateAfter: "90d"') });
  const clock = join(stack.folder, "clock");
  const setDays = (days: number): void => {
    writeFileSync(clock, String(days));
  };
  const env = { NODE_OPTIONS: preloading("movable-clock.cjs"), CLOCK_FILE: clock };
  setDays(0);
  const created = await stack.startUp({ env }).finished;
  expect(created.code).toBe(0);

  const { control } = stack.organization;
  control.setFaults([{ operation: "rotateWebhookSecret", hold: "before", status: 429, count: 1, retryAfter: 1 }]);
  setDays(100);
  control.setClock(new Date(Date.now() + 100 * 86_400_000));
  const up = stack.startUp({ env });
  await control.held();
  setDays(-400);
  control.release();
  const { code, stdout } = await up.finished;
  expect(code).toBe(0);
  expect(stdout).toContain("[diff: ~rotateOn]");
  expect(rotations(stack)).toBe(2);
  await expectSound(stack);
  expectCurrentSecret(stack, "crm");

  setDays(0);
  expect(await stack.up({ env })).toContain("2 unchanged");
  expect(rotations(stack)).toBe(2);
});
