/** A server that restarts, and a clock that jumps, with the real engine. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { preloading } from "../../support/engine/installation";
import { ids, organization as newOrganization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";
import { diagnosticsOf, expectOnPage, lineOf } from "../../support/faults/page";
import { temporaryFolder } from "../../support/folders";

const crm = (args: string) => `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", ${args} });`;
const recordings = (days: number) =>
  `new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: ${days} });`;
const rotations = (stack: Project) => rotationsOf(stack)[ids.crm];

test("when the server ends during an up and starts again, a PUT is sent again and a rotation once, and the next up rotates once more", async () => {
  const organization = await newOrganization({ file: join(temporaryFolder(), "control-plane.json") });
  const program = (round: string, days: number) => crm(`triggers: { round: "${round}" }`) + recordings(days);
  const stack = await project({ program: program("0", 90), organization });
  await stack.up();

  organization.control.setFaults([
    { hold: "before", count: 1, operation: "rotateWebhookSecret" },
    { hold: "before", count: 1, operation: "putRetentionPolicy" },
  ]);
  stack.program(program("1", 365));
  const up = stack.startUp();
  await organization.control.held("*", 2);
  await organization.restart();
  const { code, stdout } = await up.finished;
  expect(code).not.toBe(0);
  expect(diagnosticsOf(stdout, "crm")).toContain("Whether the secret was rotated is unknown");
  expectOnPage(diagnosticsOf(stdout, "crm"));
  expect(organization.control.state().retentionPolicies).toMatchObject([
    { resource: "recordings", retention_days: 365 },
  ]);
  expect(rotations(stack)).toBe(1);
  await expectSound(stack);

  await stack.up();
  expect(rotations(stack)).toBe(2);
  expectCurrentSecret(stack, "crm");
});

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
  expectOnPage(lineOf(created.stdout, "crm created"));

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
  expectOnPage(lineOf(stdout, "crm updated"));
  expect(rotations(stack)).toBe(2);
  await expectSound(stack);
  expectCurrentSecret(stack, "crm");

  setDays(0);
  expect(await stack.up({ env })).toContain("2 unchanged");
  expect(rotations(stack)).toBe(2);
});
