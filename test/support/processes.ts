/** Processes that end with the test, and waiting for what they do. */
import { spawn, type ChildProcess } from "node:child_process";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { tried } from "../../src/values/any";
import { afterTest } from "./after-test";

export interface Finished {
  /** null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process whose output is collected from the start. */
export class Running {
  readonly finished: Promise<Finished>;

  constructor(readonly child: ChildProcess) {
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error("the process needs pipes");
    const closed = once(child, "close") as Promise<[code: number | null]>;
    this.finished = Promise.all([closed, text(stdout), text(stderr)]).then(([[code], stdout, stderr]) => ({
      code,
      stdout,
      stderr,
    }));
  }

  /** Signals the process alone, as `kill` does. The CLI stops its plugins. */
  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The first group of this pattern, once the output has it. Rejects if the process ends before. */
  async printed(pattern: RegExp): Promise<string> {
    const found = new Promise<string>((resolve) => {
      let seen = "";
      this.child.stdout?.on("data", (chunk: Buffer) => {
        seen += chunk.toString();
        const [, group] = pattern.exec(seen) ?? [];
        if (group !== undefined) resolve(group);
      });
    });
    const ended = this.finished.then(({ stderr }) => {
      throw new Error(`ended without ${String(pattern)}: ${stderr}`);
    });
    return Promise.race([found, ended]);
  }
}

interface StartOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The whole process group is killed after the test: one that timed out must not leave an engine and its plugins behind. */
export function start(command: string, args: readonly string[], options: StartOptions = {}): Running {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const running = new Running(child);
  let isRunning = true;
  void running.finished.catch(() => undefined).finally(() => (isRunning = false));
  afterTest(() => {
    const { pid } = child;
    // Where only its output is still read, its processes have ended.
    if (isRunning && pid !== undefined) tried(() => process.kill(-pid, "SIGKILL"));
  });
  return running;
}

/** Pulumi, without prompts and colours. */
export const startPulumi = (args: readonly string[], options: StartOptions): Running =>
  start("pulumi", [...args, "--non-interactive", "--color", "never"], options);

/**
 * Resolves once another process has made `condition` true. It looks less often the longer that takes. After five minutes, which is
 * before jest gives up, it rejects and says what it has waited for.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  for (let wait = 20; !(await condition()); wait = Math.min(wait * 1.3, 200)) {
    if (Date.now() > deadline) throw new Error(`not true within five minutes: ${condition.toString()}`);
    await setTimeout(wait);
  }
}
