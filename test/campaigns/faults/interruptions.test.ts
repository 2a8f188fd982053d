/** Signals and kills during a rotation, with the real engine. */
import type { Fault } from "../../../src/control-plane/index";
import type { RunningCommand } from "../../support/engine/command";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, kill, processOf, rotationsOf } from "../../support/faults/aftermath";
import { unanswered, upDuring } from "../../support/faults/deaths";
import { diagnosticsOf, expectOnPage, lineOf } from "../../support/faults/page";

const program = (round: string) => `
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { round: "${round}" } });`;
/** A program that is still running during the rotation. */
const lastingProgram = (round: string) => `${program(round)}\nsetTimeout(() => undefined, 60_000);`;

const held: Fault = { operation: "rotateWebhookSecret", hold: "before", count: 1 };

/** Lets the rotation go on once the engine has seen that it was interrupted, or that the program is gone. */
async function goOn(stack: Project): Promise<void> {
  await stack.until(() => processOf(stack, "program") === undefined);
  stack.organization.control.release();
}

const withBilling = (round: string) => `${program(round)}
  new WebhookSecret("billing", { webhookId: "${ids.billing}", onCreate: "rotate" });`;

const rotations = (stack: Project) => rotationsOf(stack)[ids.crm];

/** Starts an `up` and resolves when the server has received its rotation. */
function rotating(stack: Project, text: string, fault: Fault): Promise<RunningCommand> {
  stack.program(text);
  return upDuring(stack, [fault]);
}

async function hasNothingToDo(stack: Project, unchanged: number): Promise<void> {
  stack.organization.forgetRequests();
  expect(await stack.up()).toContain(`${unchanged} unchanged`);
  expect(stack.organization.requests()).toEqual([]);
}

test("a rotation ends and is stored after SIGINT, SIGTERM or the program's death; after the engine's, the next up rotates once more", async () => {
  const stack = await project({ program: program("0") });
  await stack.up();

  const once = await rotating(stack, lastingProgram("1"), held);
  once.signal("SIGINT");
  await goOn(stack);
  const interrupted = await once.finished;
  expect(interrupted.code).not.toBe(0);
  expect(interrupted.stdout).toContain("^C received; cancelling");
  expectOnPage(lineOf(interrupted.stdout, "^C received; cancelling"));
  expect(rotations(stack)).toBe(2);
  await expectSound(stack);
  expectCurrentSecret(stack, "crm");

  const ended = await rotating(stack, lastingProgram("2"), held);
  ended.signal("SIGTERM");
  await goOn(stack);
  const terminated = await ended.finished;
  expect(terminated.code).not.toBe(0);
  expect(terminated.stdout).toContain("SIGTERM received; cancelling");
  expectOnPage(lineOf(terminated.stdout, "SIGTERM received; cancelling"));
  expect(rotations(stack)).toBe(3);
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 3 });
  await expectSound(stack);

  const lasting = await rotating(stack, lastingProgram("3"), held);
  kill(stack, "program");
  await goOn(stack);
  const killed = await lasting.finished;
  expect(killed.code).not.toBe(0);
  expect(killed.stdout).toContain("SIGKILL");
  expectOnPage(diagnosticsOf(killed.stdout, "test-dev"));
  expect(rotations(stack)).toBe(4);
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 4 });
  await expectSound(stack);

  const billing = () => rotationsOf(stack)[ids.billing];
  const create = await rotating(stack, withBilling("3"), unanswered);
  create.signal("SIGKILL");
  await create.finished;
  expect([rotations(stack), billing()]).toEqual([4, 1]);
  await expectSound(stack, { locks: 1, pending: 1 });
  await stack.run(["cancel", "--yes", "--stack", "dev"]);

  const madeUp = await stack.up();
  expect(madeUp).toContain("billing, interrupted while creating");
  expect(madeUp).toContain("2 unchanged");
  expect([rotations(stack), billing()]).toEqual([4, 2]);
  await expectSound(stack, { pending: 1 });
  expectCurrentSecret(stack, "billing");
  expectCurrentSecret(stack, "crm");

  await stack.refresh({ flags: ["--clear-pending-creates"] });
  await expectSound(stack);
  await hasNothingToDo(stack, 3);
});

test("after a rotation that a second SIGINT, a killed provider or a killed engine cut off, the next up rotates once more", async () => {
  const stack = await project({ program: program("0") });
  await stack.up();

  const twice = await rotating(stack, program("1"), unanswered);
  twice.signal("SIGINT");
  // The engine ends the program once it has handled the first signal. A second signal before that would be merged with
  // the first.
  await stack.until(() => processOf(stack, "program") === undefined);
  twice.signal("SIGINT");
  const interrupted = await twice.finished;
  expect(interrupted.code).not.toBe(0);
  expect(interrupted.stdout).toContain("^C received; terminating");
  expectOnPage(lineOf(interrupted.stdout, "crm updating (interrupted)"));
  expect(rotations(stack)).toBe(2);
  await expectSound(stack, { pending: 1 });

  const pending = await stack.startUp().finished;
  expect(pending.code).toBe(0);
  expect(pending.stdout).toContain("crm, interrupted while updating");
  expectOnPage(diagnosticsOf(pending.stdout, "test-dev"));
  expect(rotations(stack)).toBe(3);
  await expectSound(stack);

  const withoutProvider = await rotating(stack, program("2"), unanswered);
  kill(stack, "provider");
  const failed = await withoutProvider.finished;
  expect(failed.code).not.toBe(0);
  expect(diagnosticsOf(failed.stdout, "crm")).toContain("error reading from server: EOF");
  expectOnPage(diagnosticsOf(failed.stdout, "crm"));
  expect(rotations(stack)).toBe(4);
  await expectSound(stack);

  await stack.up();
  expect(rotations(stack)).toBe(5);
  expectCurrentSecret(stack, "crm");

  const engine = await rotating(stack, program("3"), unanswered);
  engine.signal("SIGKILL");
  const killed = await engine.finished;
  expect(killed.code).toBeNull();
  expectOnPage(lineOf(killed.stdout, "crm updating"));
  // The provider ends by itself. Neither the engine nor the shell ends it.
  await expectSound(stack, { locks: 1, pending: 1 });
  expect(rotations(stack)).toBe(6);

  const refused = await stack.startUp().finished;
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("the stack is currently locked by 1 lock(s)");
  expectOnPage(refused.stderr);
  await stack.run(["cancel", "--yes", "--stack", "dev"]);

  expect(await stack.up()).toContain("crm, interrupted while updating");
  expect(rotations(stack)).toBe(7);
  await expectSound(stack);
  expectCurrentSecret(stack, "crm");
  await hasNothingToDo(stack, 2);
});
