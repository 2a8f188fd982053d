/** Which processes of this machine are alive. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { placeOnLinux, processExists } from "../../machine.js";
import { tried } from "../../values/any.js";
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

/** What this machine answers: the text of a file, and what a program prints. Undefined if there is no answer. */
export interface Machine {
  readonly read: (path: string) => string | undefined;
  readonly run: (program: string, ...args: readonly string[]) => string | undefined;
}

export function processesHere(platform: NodeJS.Platform = process.platform, machine: Machine = thisMachine): Processes {
  const space = spaceOf(platform, machine);
  const found = { linux: linuxProcess, darwin: macProcess }[platform as string] ?? anyProcess;
  return { host: hostname(), space, find: (pid) => found(pid, space, machine) };
}

function spaceOf(platform: NodeJS.Platform, { read, run }: Machine): string {
  if (platform === "darwin") return run("sysctl", "-n", "kern.bootsessionuuid")?.trim() ?? "";
  return (platform === "linux" ? placeOnLinux(["pid"], read) : undefined) ?? "";
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

/** Whether the process has ended for sure. In doubt it has not. */
export function isGone(processes: Processes, id: ProcessId, ofThisMachine: readonly ProcessId[] = []): boolean {
  if (id.space === "" || processes.space === "") return false;
  if (id.space === processes.space) return !isRunning(processes, id);
  // After a restart, no earlier process of this machine is left. In the same boot, it may be one of another container.
  const isEarlier = bootOf(id) !== bootOf(processes);
  return (
    isEarlier &&
    ofThisMachine.some(({ pid, start, space }) => pid === id.pid && start === id.start && space === id.space)
  );
}

const bootOf = ({ space }: Pick<ProcessId, "space">) => space.split(" ")[0];

function linuxProcess(pid: number, space: string, { read }: Machine): ProcessId | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name is in brackets and may have any character.
  const end = stat?.lastIndexOf(")") ?? -1;
  // /proc may be mounted so that it hides the processes of other users.
  if (stat === undefined || end === -1) return anyProcess(pid, space);
  const fields = stat.slice(end + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : { pid, start: fields[19] ?? "", space };
}

/**
 * Ends the language hosts that a killed CLI has left, by its session: it was started detached, as the first process of its own, and as long as one
 * is left, no other process gets its id. Providers are not ended: theirs is to note the answer to a rotation first. Linux only.
 *
 * @param session the id of the CLI
 */
export function endLanguageHosts(session: number): void {
  for (const name of tried(() => readdirSync("/proc")) ?? []) {
    const stat = /^\d+$/.test(name) ? thisMachine.read(`/proc/${name}/stat`) : undefined;
    // The system cuts names to 15 characters.
    const [, rest] = /^\d+ \(pulumi-language\) (.*)$/s.exec(stat ?? "") ?? [];
    if (rest?.split(" ")[3] === String(session)) tried(() => process.kill(Number(name), "SIGKILL"));
  }
}

/** The same for the CLI of an earlier run, whose `apply` was killed too. A process that has its id now may be the first of a session of its own. */
export function endHostsOf({ pid, space }: ProcessId, processes: Processes): void {
  if (space === processes.space && processes.find(pid) === undefined) endLanguageHosts(pid);
}

function macProcess(pid: number, space: string, { run }: Machine): ProcessId | undefined {
  const shown = run("ps", "-o", "stat=", "-o", "lstart=", "-p", String(pid));
  const [, state = "", start] = /^(\S+)\s+(.*\S)\s*$/.exec(shown ?? "") ?? [];
  if (start === undefined) return anyProcess(pid, space);
  return state.startsWith("Z") ? undefined : { pid, start, space };
}

const anyProcess = (pid: number, space: string): ProcessId | undefined =>
  processExists(pid) ? { pid, start: "", space } : undefined;

const thisMachine: Machine = {
  read: (path) => tried(() => readFileSync(path, "utf8")),
  // In one language and time zone, whatever those of the user are.
  run: (program, ...args) =>
    tried(() =>
      execFileSync(program, args, {
        env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
        stdio: ["ignore", "pipe", "ignore"],
        encoding: "utf8",
      }),
    ),
};
