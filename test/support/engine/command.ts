/** Commands that start others, such as an engine: all of them end with the test. */
import { spawn, type ChildProcess } from "node:child_process";
import { tried } from "../../../src/values/any";
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

const running = new Set<ChildProcess>();

/** Kills the whole process group: a test that timed out must not leave an engine and its plugins behind. */
afterEach(() => {
  // Where only their output is still read, its processes have ended.
  for (const { pid } of running) if (pid !== undefined) tried(() => process.kill(-pid, "SIGKILL"));
});

export function start(command: string, args: readonly string[], { cwd, env }: CommandOptions): RunningCommand {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.add(child);
  const finished = ended(child).finally(() => running.delete(child));
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
