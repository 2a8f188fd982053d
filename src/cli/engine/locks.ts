/** The locks of a stack: who holds them, and which of them are stale. */
import type { StackLock } from "./backend.js";
import { isGone, isRunning, type ProcessId, type Processes, type StartedCli } from "./processes.js";

/** What the decision uses beside the lock. */
export interface LockFacts {
  readonly processes: Processes;
  /** The CLIs that earlier applies have started, by the record: only their locks are known. */
  readonly started: readonly StartedCli[];
  /** Of them, those that were started on this machine, in whatever boot. */
  readonly ofThisMachine: readonly ProcessId[];
  /** Locks older than this are stale, ms. Undefined: only those of a known CLI that is gone. */
  readonly limitMs: number | undefined;
  /** ms since the epoch. */
  readonly now: number;
}

/** The CLI takes the stack's lock within this time of its start, ms. */
const lockingMs = 60_000;

/**
 * Why the lock is stale; undefined if its run may be alive. In doubt it is alive. Machines and containers may share a host name and a
 * folder of state, and each has a process of every id: so what a lock has only says which CLI of the record made it.
 */
export function staleness({ pid, host, at }: StackLock, facts: LockFacts): string | undefined {
  const { processes, started, ofThisMachine, limitMs = 0, now } = facts;
  if (at === undefined) return undefined;
  const makers = started
    .filter((each) => each.cli.pid === pid && each.host === host && Math.abs(at - each.at) < lockingMs)
    .map(({ cli }) => cli);
  if (makers.some((cli) => isRunning(processes, cli))) return undefined;
  if (makers.length > 0 && makers.every((cli) => isGone(processes, cli, ofThisMachine))) {
    return `process ${String(pid)} of this machine is gone`;
  }
  return limitMs > 0 && now - at > limitMs ? "it is older than a run can be" : undefined;
}

/** Of each lock "holder: why it is stale"; or the first lock whose run may be alive. */
export function staleLocks(locks: readonly StackLock[], facts: LockFacts): readonly string[] | StackLock {
  const live = locks.find((lock) => staleness(lock, facts) === undefined);
  return live ?? locks.map((lock) => `${holderOf(lock)}: ${staleness(lock, facts) ?? ""}`);
}

/** The locks in the CLI's error, some of them without details; undefined if the error is not about locks. */
export function locksIn(output: string): StackLock[] | undefined {
  if (!/the stack is currently locked by \d+ lock/.test(output)) {
    return /\[409\].*update.*in progress|Another update is currently in progress/i.test(output)
      ? [unknownLock]
      : undefined;
  }
  const found = [...output.matchAll(/: created by (\S*)@(\S+) \(pid (\d+)\) at (\S+)/g)];
  const count = Number(/locked by (\d+) lock/.exec(output)?.[1]);
  const locks = found.map(([, user = "", host = "", pid, time = ""]) => {
    const at = Date.parse(time);
    return { file: undefined, pid: Number(pid), host, user, at: Number.isNaN(at) ? undefined : at };
  });
  return [...locks, ...Array<StackLock>(Math.max(0, count - locks.length)).fill(unknownLock)];
}

const unknownLock: StackLock = { file: undefined, pid: undefined, host: "", user: "", at: undefined };

/** For example "root@worker-1 (pid 42) since 2026-11-22T11:23:05.000Z". */
export function holderOf({ pid, host, user, at }: StackLock): string {
  const since = at === undefined ? "" : ` since ${new Date(at).toISOString()}`;
  if (pid === undefined) return user === "" ? "an unknown run" : `an update of ${user}${since}`;
  return `${user}@${host} (pid ${pid})${since}`;
}

/**
 * Only a person knows whether that run has ended.
 *
 * @param isLeased whether the lock of a dead run expires, as in Pulumi Cloud
 */
export function lockedReason(lock: StackLock | undefined, stack: string, isLeased = false): string {
  const holder = lock ? holderOf(lock) : "another run";
  return isLeased
    ? `the stack is locked by ${holder}: about 5 minutes after that run has ended, its lease ends too; \`pulumi cancel --stack ${stack}\` ends it at once`
    : `the stack is locked by ${holder}: if that run has ended, use \`pulumi cancel --stack ${stack}\` or --cancel-locks-after`;
}
