/** Requests that are never answered, and who is struck meanwhile. */
import type { OperationName } from "../../../src/contract/index";
import type { Fault } from "../../../src/control-plane/index";
import { afterTest } from "../after-test";
import type { RunningCommand } from "../engine/command";
import type { Project, Run } from "../engine/project";
import type { Finished } from "../processes";
import { killAll, killEach, locksOf, processesOf, processOf } from "./aftermath";

/** Signals to the engine, or the processes that are killed: all providers, or all of the stack's. */
export type Strike = "SIGINT" | "SIGTERM" | "SIGINT twice" | "SIGKILL" | "program" | "provider" | "machine";

/** The next rotation is carried out, and never answered. */
export const unanswered = { operation: "rotateWebhookSecret", connection: "hang", commit: true, count: 1 } as const;

/** Starts an `up`, and resolves when the server has received a request for each fault. */
export async function upDuring(
  stack: Project,
  faults: readonly Fault[] = [unanswered],
  run: Run = {},
): Promise<RunningCommand> {
  stack.organization.control.setFaults([...faults]);
  const up = stack.startUp(run);
  await stack.until(() => stack.organization.control.faults().length === 0);
  return up;
}

/**
 * Resolves once the engine has handled the signal, or the killed processes are gone.
 *
 * @returns false if there was no process to kill
 */
export async function strike(stack: Project, up: RunningCommand, how: Strike): Promise<boolean> {
  // The engine ends the program once it has handled a signal. A second one before that would be merged with the first.
  const isHandled = () => stack.until(() => processOf(stack, "program") === undefined);
  switch (how) {
    case "SIGINT twice":
      up.signal("SIGINT");
      await isHandled();
      up.signal("SIGINT");
      return true;
    case "SIGINT":
    case "SIGTERM":
      up.signal(how);
      await isHandled();
      return true;
    case "SIGKILL":
      up.signal(how);
      return true;
    case "program":
    case "provider":
      return killAll(stack, how);
    case "machine":
      killEach(processesOf(stack));
      return true;
  }
}

interface Death {
  readonly operations?: readonly OperationName[];
  /** Whether the server carries the requests out. Default: true. */
  readonly commit?: boolean;
  readonly flags?: readonly string[];
  /** What has to be so before they die, beside the requests. */
  readonly when?: () => boolean;
}

/** An `up` sends requests, and its processes end before it has an answer. Then its lock is removed. */
export async function die(
  stack: Project,
  how: Strike,
  { operations = ["rotateWebhookSecret"], commit = true, flags = [], when = () => true }: Death = {},
): Promise<Finished> {
  const faults = operations.map((operation) => ({ ...unanswered, operation, commit }));
  const up = await upDuring(stack, faults, { flags });
  await stack.until(when);
  expect(await strike(stack, up, how)).toBe(true);
  const finished = await up.finished;
  expect(finished.code).not.toBe(0);
  await allEnded(stack);
  await unlock(stack);
  return finished;
}

/** Resolves once no engine and no provider of the stack runs any more. The engine's host for YAML outlives a killed engine. */
const allEnded = (stack: Project): Promise<void> =>
  stack.until(() => !processesOf(stack).some(({ command }) => running.test(command)));

const running = /pulumi-resource-voiceplane|cmd\/dynamic-provider|^pulumi up\b/;

/** What an operator does about the lock of a dead run. */
export async function unlock(stack: Project): Promise<void> {
  if (locksOf(stack).length === 0) return;
  await stack.run(["cancel", "--yes", "--stack", "dev"]);
}

/** Ends what is left of a stack after the test. */
export function endAfterTest(stack: Project): Project {
  afterTest(() => {
    killEach(processesOf(stack));
  });
  return stack;
}
