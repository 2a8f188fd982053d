/**
 * A lock between the applies of one user on one machine: one decides about a stack's locks, starts the CLI and waits for it at a
 * time. It lasts as long as the apply or its CLI lives, and needs no clean-up after a death.
 */
import { readFileSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inTemporaryFolder } from "../../machine.js";
import { codeOf, tried } from "../../values/any.js";
import { z } from "zod";
import { idOf, isRunning, processId, type ProcessId, type Processes } from "../engine/processes.js";

export interface HostLock {
  /** The owners of the lock that a dead apply of this machine has left, in whatever boot. */
  readonly left: readonly ProcessId[];
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
  let left: readonly ProcessId[] = [];
  const write = (...owners: readonly ProcessId[]) => {
    inTemporaryFolder(() => {
      writeFileSync(made, JSON.stringify({ owners: [...owners, ...left] }), { mode: 0o600 });
    });
  };
  try {
    for (let attempts = 1; attempts <= 20; attempts++) {
      const holder = alone(file, () => {
        const owners = ownersIn(file);
        const running = owners.find((owner) => isRunning(processes, owner));
        if (running !== undefined) return running;
        if (isOwnDisk(file)) left = owners;
        write(own);
        // In one step and with its whole content, so that a death leaves the old lock or the new one.
        renameSync(made, file);
        return own;
      });
      if (holder === own) {
        return {
          left,
          addOwner(cli) {
            write(own, cli);
            renameSync(made, file);
          },
          release() {
            rmSync(file, { force: true });
          },
        };
      }
      if (holder !== undefined) return { heldBy: holder.pid };
      await setTimeout(attemptMs);
    }
    return { heldBy: 0 };
  } finally {
    rmSync(made, { force: true });
  }
}

const ownersIn = (file: string): readonly ProcessId[] =>
  tried(() => content.parse(JSON.parse(readFileSync(file, "utf8"))).owners) ?? [];

/** Linux's numbers of the file systems that only one kernel at a time can have: ext, XFS, Btrfs, ZFS, tmpfs and overlay. */
const ownDisks = [0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x01021994, 0x794c7630];

const isOwnDisk = (file: string): boolean => ownDisks.includes(tried(() => statfsSync(dirname(file)).type) ?? 0);

/** Between two attempts to take the lock while another one does, ms. */
const attemptMs = 10;

/** Longer than a lock takes to be read and written, ms. */
const takingMs = 60_000;

/**
 * Two that find the same stale lock must not replace each other's new one: the second file lets one of them look and take it.
 *
 * @returns undefined if another one is doing so
 */
function alone<T>(file: string, take: () => T): T | undefined {
  const taking = `${file}.taking`;
  if (!inTemporaryFolder(() => created(taking))) {
    const since = statSync(taking, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > takingMs) rmSync(taking, { force: true });
    return undefined;
  }
  try {
    return take();
  } finally {
    rmSync(taking, { force: true });
  }
}

/** Fails where the file exists. */
function created(file: string): boolean {
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
