/**
 * A lock between the applies of one user on one machine: one decides about a stack's locks, starts the CLI and waits for it at a
 * time. It lasts as long as the apply or its CLI lives, and needs no clean-up after a death.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { codeOf, tried } from "../values.js";
import { z } from "zod";
import { idOf, isRunning, processId, type ProcessId, type Processes } from "../engine/processes.js";

export interface HostLock {
  /** The CLI holds the lock too, should this process die. */
  addOwner(cli: ProcessId): void;
  release(): void;
}

const content = z.object({ owners: z.array(processId) });

/** @returns the process that holds it, if another one does */
export async function takeHostLock(
  file: string,
  processes: Processes,
): Promise<HostLock | { readonly heldBy: number }> {
  const own = idOf(processes, process.pid);
  const made = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  const write = (owners: readonly ProcessId[]) => {
    writeFileSync(made, JSON.stringify({ owners }), { mode: 0o600 });
  };
  write([own]);
  try {
    for (let attempts = 1; attempts <= 20; attempts++) {
      if (linked(made, file)) {
        return {
          addOwner(cli) {
            write([own, cli]);
            renameSync(made, file);
          },
          release() {
            rmSync(file, { force: true });
          },
        };
      }
      const holder = holderOf(file, processes);
      if (holder !== undefined) return { heldBy: holder };
      removeStale(file, processes);
      // Another one may be about to remove it.
      await setTimeout(attemptMs);
    }
    return { heldBy: 0 };
  } finally {
    rmSync(made, { force: true });
  }
}

/** Fails where the file exists, in one step and with its whole content. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function holderOf(file: string, processes: Processes): number | undefined {
  const found = tried(() => content.parse(JSON.parse(readFileSync(file, "utf8"))));
  return found?.owners.find((owner) => isRunning(processes, owner))?.pid;
}

/** Between two attempts to take a lock that is stale, ms. */
const attemptMs = 10;

/** Longer than a removal takes, ms. */
const removalMs = 60_000;

/** Two that find the same stale lock must not remove each other's new one: the second file lets one of them do it. */
function removeStale(file: string, processes: Processes): void {
  const removal = `${file}.removal`;
  try {
    writeFileSync(removal, "", { flag: "wx", mode: 0o600 });
  } catch {
    const since = statSync(removal, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > removalMs) rmSync(removal, { force: true });
    return;
  }
  try {
    if (holderOf(file, processes) === undefined) rmSync(file, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}
