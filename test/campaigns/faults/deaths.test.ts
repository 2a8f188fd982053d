/** Signals and kills during a request, with the real engine: what its user sees, what is sent, and what the next `up` does. */
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import {
  expectCurrentSecret,
  expectSound,
  processOf,
  rotationsOf,
  type Aftermath,
} from "../../support/faults/aftermath";
import { strike, unanswered, unlock, upDuring, type Strike } from "../../support/faults/deaths";
import type { Finished } from "../../support/processes";

const crm = (round: string) => `
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { round: "${round}" } });`;
/** A program that is still running during the rotation. */
const lasting = "\nsetTimeout(() => undefined, 60_000);";
const billing = `\nnew WebhookSecret("billing", { webhookId: "${ids.billing}", onCreate: "rotate" });`;

const held = { operation: "rotateWebhookSecret", hold: "before", count: 1 } as const;

interface Row {
  readonly struck: Strike;
  readonly text: string;
  /** What is left behind, if the rotation is cut off. Default: it ends, and is stored. */
  readonly cutOff?: Aftermath;
}

const rows: readonly Row[] = [
  { struck: "SIGINT", text: "^C received; cancelling" },
  { struck: "SIGTERM", text: "SIGTERM received; cancelling" },
  { struck: "program", text: "SIGKILL" },
  { struck: "SIGINT twice", text: "^C received; terminating", cutOff: { pending: 1 } },
  { struck: "provider", text: "error reading from server: EOF", cutOff: {} },
  { struck: "SIGKILL", text: "crm updating", cutOff: { locks: 1, pending: 1 } },
];

const rotations = (stack: Project) => {
  const { [ids.crm]: ofCrm, [ids.billing]: ofBilling } = rotationsOf(stack);
  return [ofCrm, ofBilling];
};

async function struckDuring(stack: Project, how: Strike, fault: typeof held | typeof unanswered): Promise<Finished> {
  const up = await upDuring(stack, [fault]);
  expect(await strike(stack, up, how)).toBe(true);
  if (fault === held) {
    await stack.until(() => processOf(stack, "program") === undefined);
    stack.organization.control.release();
  }
  const finished = await up.finished;
  expect(finished.code).not.toBe(0);
  return finished;
}

/** The lock of a killed engine is said by the next `up`, until it is removed. */
async function removeLock(stack: Project): Promise<void> {
  const { code, stderr } = await stack.startUp().finished;
  expect(code).not.toBe(0);
  expect(stderr).toContain("the stack is currently locked by 1 lock(s)");
  await unlock(stack);
}

test("a rotation ends and is stored, or the next up rotates once more: after each signal, and whoever is killed", async () => {
  const stack = await project({ program: crm("0") });
  await stack.up();
  let count = 1;
  for (const { struck, text, cutOff } of rows) {
    stack.program(crm(struck) + (cutOff ? "" : lasting));
    const { stdout } = await struckDuring(stack, struck, cutOff ? unanswered : held);
    expect(stdout).toContain(text);
    expect(rotations(stack)).toEqual([++count, undefined]);
    // The provider of a killed engine ends by itself. Neither the engine nor the shell ends it.
    await expectSound(stack, cutOff);
    if (cutOff) {
      if (cutOff.locks) await removeLock(stack);
      const { code, stdout: next } = await stack.startUp().finished;
      expect(code).toBe(0);
      expect(next.includes("crm, interrupted while updating")).toBe(cutOff.pending === 1);
      expect(rotations(stack)).toEqual([++count, undefined]);
      await expectSound(stack);
    }
    expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "rotated" });
    expectCurrentSecret(stack, "crm");
  }

  // The same for a first rotation, whose pending create stays until a refresh.
  const last = crm("SIGKILL") + billing;
  stack.program(last);
  await struckDuring(stack, "SIGKILL", unanswered);
  expect(rotations(stack)).toEqual([count, 1]);
  await expectSound(stack, { locks: 1, pending: 1 });
  await unlock(stack);
  const madeUp = await stack.up();
  expect(madeUp).toContain("billing, interrupted while creating");
  expect(madeUp).toContain("2 unchanged");
  expect(rotations(stack)).toEqual([count, 2]);
  await expectSound(stack, { pending: 1 });
  expectCurrentSecret(stack, "billing");
  await stack.refresh({ flags: ["--clear-pending-creates"] });
  await expectSound(stack);
  stack.organization.forgetRequests();
  expect(await stack.up()).toContain("3 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});

test("the native plugin lets a rotation that has left before Ctrl-C end too, and it is stored", async () => {
  const stack = await project();
  stack.native(crm("0") + lasting);
  await struckDuring(stack, "SIGINT", held);
  expect(rotations(stack)).toEqual([1, undefined]);
  await expectSound(stack);
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "rotated" });
});
