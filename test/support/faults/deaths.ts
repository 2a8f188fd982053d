/** Requests that are never answered, and processes that are killed meanwhile. */
import type { Fault } from "../../../src/control-plane/index";
import type { RunningCommand } from "../engine/command";
import type { Project, Run } from "../engine/project";
import { killEach, processesOf } from "./aftermath";

/** Rotates the secret and never answers. */
export const unanswered = { operation: "rotateWebhookSecret", connection: "hang", commit: true, count: 1 } as const;

export const providers = /pulumi-resource-voiceplane|cmd\/dynamic-provider/;
export const engine = /^pulumi up\b/;

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

/** Resolves once they are gone: a killed process is alive until it has returned its memory. */
export async function killAll(stack: Project, pattern: RegExp): Promise<void> {
  const found = processesOf(stack).filter(({ command }) => pattern.test(command));
  expect(found).not.toEqual([]);
  killEach(found);
  await stack.until(() => !processesOf(stack).some(({ pid }) => found.some((each) => each.pid === pid)));
}

/** Resolves once no engine and no provider of the stack runs any more. */
export const allEnded = (stack: Project): Promise<void> =>
  stack.until(() => !processesOf(stack).some(({ command }) => providers.test(command) || engine.test(command)));

const strays: Project[] = [];

afterEach(() => {
  killEach(strays.flatMap(processesOf));
  strays.length = 0;
});

/** Ends what is left of a stack after the test: the engine's host for YAML outlives a killed engine. */
export function endAfterTest(stack: Project): Project {
  strays.push(stack);
  return stack;
}
