/** The locks in the CLI's error about a stack that is locked. */

export interface StackLock {
  /** Such as "root@worker-1 (pid 42) since 2026-11-22T11:23:05.000Z". */
  readonly holder: string;
  /** When it was created, ms since the epoch; undefined if the error does not say it. */
  readonly at: number | undefined;
}

/** Empty if the error is not about locks. */
export function locksIn(error: string): StackLock[] {
  const count = Number(/the stack is currently locked by (\d+) lock/.exec(error)?.[1] ?? 0);
  const isLeased = /\[409\].*update.*in progress|Another update is currently in progress/i.test(error);
  const found = [...error.matchAll(/: created by (\S*@\S+ \(pid \d+\)) at (\S+)/g)].map(([, who = "", time = ""]) => {
    const at = Date.parse(time);
    return Number.isNaN(at) ? unknown : { holder: `${who} since ${new Date(at).toISOString()}`, at };
  });
  const unnamed = Math.max(0, Math.max(count, isLeased ? 1 : 0) - found.length);
  return [...found, ...Array<StackLock>(unnamed).fill(unknown)];
}

const unknown: StackLock = { holder: "an unknown run", at: undefined };
