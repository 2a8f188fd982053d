/** The locks of a stack: what the CLI's error says of them, and their removal. */
import { say } from "../../commander.js";
import { queryPulumi } from "../../pulumi/cli.js";
import type { Stack } from "../../stack/pulumi-runs.js";

interface StackLock {
  /** Such as "root@worker-1 (pid 42) since 2026-11-22T11:23:05.000Z". */
  readonly holder: string;
  /** When it was created, ms since the epoch, if the error says it. */
  readonly at: number | undefined;
}

/**
 * Removes the locks that the CLI's error is about, if all are old. Only its age shows that the run of a lock has died, and the operator says at
 * which age.
 *
 * @param limitMs undefined if no lock may be removed
 * @returns whether the locks were removed
 */
export async function removeOldLocks(
  { io, name = "", folder, interrupts }: Stack,
  error: string,
  limitMs = Infinity,
): Promise<boolean> {
  const locks = locksIn(error);
  const isOld = ({ at }: StackLock): boolean => at !== undefined && Date.now() - at > limitMs;
  const staying = limitMs === Infinity ? [] : locks.filter((lock) => !isOld(lock));
  for (const { holder, at } of staying) {
    const why = at === undefined ? "its age is not known" : "it is younger than --cancel-locks-after";
    say(io, `the lock of ${holder} stays: ${why}`);
  }
  if (locks.length === 0 || !locks.every(isOld)) return false;
  say(io, `removing the lock of ${locks.map(({ holder }) => holder).join(", ")}`);
  const cancelled = await queryPulumi(io.env)(["cancel", "--yes", "--stack", name], folder);
  return cancelled.kind === "done" && !interrupts.first.aborted;
}

/** Empty if the error is not about locks. */
export function locksIn(error: string): StackLock[] {
  const count = Number(/the stack is currently locked by (\d+) lock/.exec(error)?.[1] ?? 0);
  const isLeased = /\[409\].*update.*in progress|Another update is currently in progress/i.test(error);
  const found = [...error.matchAll(/: created by (\S*@\S+ \(pid \d+\)) at (\S+)/g)].map(([, who = "", time = ""]) => {
    const at = Date.parse(time);
    return Number.isNaN(at) ? unknownLock : { holder: `${who} since ${new Date(at).toISOString()}`, at };
  });
  const unnamed = Math.max(0, Math.max(count, isLeased ? 1 : 0) - found.length);
  return [...found, ...Array<StackLock>(unnamed).fill(unknownLock)];
}

const unknownLock: StackLock = { holder: "an unknown run", at: undefined };
