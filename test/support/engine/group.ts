/** A program that starts others, such as an engine: all of them end with the test. */
import { spawn, type ChildProcess } from "node:child_process";
import { ended, type Finished } from "../processes";
import type { CommandOptions } from "./command";

const running = new Set<ChildProcess>();

afterEach(() => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, "SIGKILL");
});

export async function runGroup(
  command: string,
  args: readonly string[],
  { cwd, env }: CommandOptions,
): Promise<Omit<Finished, "signal">> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.add(child);
  const { code, stdout, stderr } = await ended(child);
  running.delete(child);
  return { code, stdout, stderr };
}
