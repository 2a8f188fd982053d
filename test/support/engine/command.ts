/** Commands that start others, such as an engine: all of them end with the test. */
import { spawn } from "node:child_process";
import { tried } from "../../../src/values/any";
import { afterTest } from "../after-test";
import { ended, type Finished } from "../processes";

interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface RunningCommand {
  readonly finished: Promise<Finished>;
  /** Signals the command alone, as `kill` does. The CLI stops its plugins. */
  signal(signal: NodeJS.Signals): void;
}

/** The whole process group is killed after the test: one that timed out must not leave an engine and its plugins behind. */
export function start(command: string, args: readonly string[], { cwd, env }: CommandOptions): RunningCommand {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let isRunning = true;
  const finished = ended(child).finally(() => (isRunning = false));
  afterTest(() => {
    const { pid } = child;
    // Where only its output is still read, its processes have ended.
    if (isRunning && pid !== undefined) tried(() => process.kill(-pid, "SIGKILL"));
  });
  return {
    finished,
    signal: (signal) => {
      child.kill(signal);
    },
  };
}

/** Without prompts and colours. */
export const startPulumi = (args: readonly string[], options: CommandOptions): RunningCommand =>
  start("pulumi", [...args, "--non-interactive", "--color", "never"], options);
