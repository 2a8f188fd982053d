/** The locks of a stack: who holds them, and which of them are stale. */
import type { StackLock } from "./backend.js";
import type { Processes, StartedCli } from "./processes.js";

/** What the decision uses beside the lock. */
export interface LockFacts {
  readonly processes: Processes;
  /** The CLIs that earlier applies have started, by the record: their locks are known for sure. */
  readonly started: readonly StartedCli[];
  /** Locks older than this are stale, ms. Undefined: only those of a process that is gone. */
  readonly limitMs: number | undefined;
  /** ms since the epoch. */
  readonly now: number;
}

/** A process that started this long after a lock was made did not make it, ms. Clocks and lags of the engine are far below. */
const startToleranceMs = 10_000;

/** The CLI takes the stack's lock within this time of its start, ms. */
const lockingMs = 60_000;

/** Why the lock is stale; undefined if its run may be alive. In doubt it is alive. */
export function staleness(lock: StackLock, facts: LockFacts): string | undefined {
  const state = processState(lock, facts);
  if (state === "gone") return `process ${String(lock.pid)} of this machine is gone`;
  // A process that is seen to be alive keeps its lock, however old.
  const { limitMs = 0, now } = facts;
  if (state === "alive" || lock.at === undefined || !(limitMs > 0)) return undefined;
  return now - lock.at > limitMs ? "it is older than a run can be" : undefined;
}

/** Of each lock "holder: why it is stale"; or the first lock whose run may be alive. */
export function staleLocks(locks: readonly StackLock[], facts: LockFacts): readonly string[] | StackLock {
  const live = locks.find((lock) => staleness(lock, facts) === undefined);
  return live ?? locks.map((lock) => `${holderOf(lock)}: ${staleness(lock, facts) ?? ""}`);
}

function processState({ file, pid, host, at }: StackLock, facts: LockFacts): "alive" | "gone" | "unknown" {
  const { processes, started } = facts;
  if (pid === undefined || host !== processes.host) return "unknown";
  const ours = started.filter(
    (each) =>
      each.host === host &&
      each.cli.pid === pid &&
      each.cli.space === processes.space &&
      // In a container with the same host name, another process may have the same id.
      Math.abs((at ?? Number.NaN) - each.at) < lockingMs,
  );
  const isOurs = ours.length > 0;
  // In a container, processes of another one with the same host name are not seen.
  if (!processes.seesHost && !isOurs) return "unknown";
  // Machines may share a name too, as the runners of a pipeline do. Only a lock in a file is sure to be of this one.
  const gone = isOurs || file !== undefined ? "gone" : "unknown";
  const found = processes.find(pid);
  if (found === undefined) return gone;
  // The id may belong to a later process by now, which may be a CLI that made this very lock.
  const isLater = at !== undefined && found.startedAt !== undefined && found.startedAt > at + startToleranceMs;
  const isAnother = isOurs && ours.every(({ cli }) => cli.start !== "" && found.id.start !== cli.start);
  // A clock that was set must not make a live run look like a later one.
  return isLater && (isAnother || !found.name.startsWith("pulumi")) ? gone : "alive";
}

/** The locks in the CLI's error; undefined if the error is another one. */
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

/** "root@worker-1 (pid 42) since 2026-11-22T11:23:05.000Z" */
export function holderOf({ pid, host, user, at }: StackLock): string {
  if (pid === undefined) return "an unknown run";
  const since = at === undefined ? "" : ` since ${new Date(at).toISOString()}`;
  return `${user}@${host} (pid ${pid})${since}`;
}
