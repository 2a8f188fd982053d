/** A process until its end, and waiting for what another process does. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { text } from "node:stream/consumers";

export interface Finished {
  /** null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The end of a process, and its output from the start. Call this at once after `spawn`, with pipes. */
export async function ended(child: ChildProcess): Promise<Finished> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("the process needs pipes");
  const closed = once(child, "close") as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const [[code, signal], out, err] = await Promise.all([closed, text(stdout), text(stderr)]);
  return { code, signal, stdout: out, stderr: err };
}

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
