/** Runs the Pulumi CLI with a clean environment, and leaves no process behind. */
import { spawn, type ChildProcess } from "node:child_process";
import { ended, type Finished } from "../processes";

export interface CommandOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface RunningCommand {
  readonly finished: Promise<Finished>;
  /** Signals the CLI alone, as `kill` does. The CLI stops its plugins. */
  signal(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();

/** Kills the whole process group: a test that timed out must not leave an engine and its plugins behind. */
afterEach(() => {
  for (const { pid } of running) if (pid !== undefined) killGroup(pid);
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Its processes have ended, and only their output is still read.
  }
}

export function start(args: readonly string[], { cwd, env }: CommandOptions): RunningCommand {
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.add(child);
  const finished = ended(child).finally(() => running.delete(child));
  return {
    finished,
    signal: (signal) => {
      child.kill(signal);
    },
  };
}
