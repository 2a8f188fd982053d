/** Which processes of this machine are alive. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { processExists, tried } from "../values.js";
import { z } from "zod";

/** A process that cannot be mistaken for a later one with the same id. */
export const processId = z.object({
  pid: z.int(),
  /** When it started, as the machine counts; empty where that is not known. */
  start: z.string(),
  /** The boot and the pid namespace in which the id means this process; empty where that is not known. */
  space: z.string(),
});

export type ProcessId = Readonly<z.infer<typeof processId>>;

export const startedCli = z.object({
  host: z.string(),
  cli: processId,
  /** When it was started, ms since the epoch. */
  at: z.number(),
});

export type StartedCli = Readonly<z.infer<typeof startedCli>>;

export interface Processes {
  /** As locks have it. */
  readonly host: string;
  /** See {@link ProcessId.space}. */
  readonly space: string;
  /** Undefined if there is no such process, or if it has ended and only its parent does not know yet. */
  find(pid: number): ProcessId | undefined;
}

/** @param read the text of a file of /proc, if it can be read */
export function processesHere(read: (path: string) => string | undefined = textAt): Processes {
  const isLinux = process.platform === "linux";
  const namespace = isLinux ? (tried(() => readlinkSync("/proc/self/ns/pid")) ?? "") : "";
  const boot = isLinux ? (read("/proc/sys/kernel/random/boot_id")?.trim() ?? "") : "";
  const space = boot === "" || namespace === "" ? "" : `${boot} ${namespace}`;
  return {
    host: hostname(),
    space,
    find: (pid) => (isLinux ? linuxProcess(pid, space, read) : anyProcess(pid, space)),
  };
}

export function idOf(processes: Processes, pid: number): ProcessId {
  return processes.find(pid) ?? { pid, start: "", space: processes.space };
}

/**
 * Whether the process still runs. One that is in doubt does; but not one of another boot, or of another pid namespace, since nobody
 * could ever tell that it has ended.
 */
export function isRunning(processes: Processes, { pid, start, space }: ProcessId): boolean {
  if (space !== processes.space) return false;
  const found = processes.find(pid);
  return found !== undefined && (start === "" || found.start === "" || found.start === start);
}

function linuxProcess(pid: number, space: string, read: typeof textAt): ProcessId | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name is in brackets and may have any character.
  const end = stat?.lastIndexOf(")") ?? -1;
  // /proc may be mounted so that it hides the processes of other users.
  if (stat === undefined || end === -1) return anyProcess(pid, space);
  const fields = stat.slice(end + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : { pid, start: fields[19] ?? "", space };
}

const anyProcess = (pid: number, space: string): ProcessId | undefined =>
  processExists(pid) ? { pid, start: "", space } : undefined;

const textAt = (path: string): string | undefined => tried(() => readFileSync(path, "utf8"));
