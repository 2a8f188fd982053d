/** The locks of a stack, as one run finds them: which of them it removes, and who holds the stack otherwise. */
import { tried } from "../../values/any.js";
import type { StackLock } from "../engine/backend.js";
import type { CloudStack } from "../engine/cloud.js";
import { lockedReason, staleLocks } from "../engine/locks.js";
import { endHostsOf, idOf, type ProcessId, type Processes, type StartedCli } from "../engine/processes.js";
import type { StackProject } from "../engine/project.js";
import type { HostLock } from "./host-lock.js";
import type { ApplyOptions } from "./options.js";
import type { Ending } from "./result.js";

interface StackLocksFacts extends Pick<ApplyOptions, "cancelLocksAfterMs"> {
  readonly project: StackProject;
  /** Undefined for other backends than Pulumi Cloud. */
  readonly cloud: CloudStack | undefined;
  readonly processes: Processes;
  readonly hostLock: HostLock;
  /** The CLIs whose locks are known for sure, also later ones. */
  readonly started: readonly StartedCli[];
  readonly now: () => Date;
  readonly onProgress: (line: string) => void;
}

export class StackLocks {
  /** Those that were removed, as the result names them. */
  readonly removed: string[] = [];
  readonly #facts: StackLocksFacts;

  constructor(facts: StackLocksFacts) {
    this.#facts = facts;
  }

  /** @returns a lock that is not stale, if there is one */
  removeStaleFiles(dryRun: boolean): StackLock | undefined {
    const { backend } = this.#facts.project;
    const locks = backend?.locks() ?? [];
    const stale = this.#stale(locks);
    if ("host" in stale) return stale;
    if (dryRun) return undefined;
    for (const lock of locks) backend?.removeLock(lock);
    this.#note(stale);
    return undefined;
  }

  /** @param cancel removes every lock of the stack, so each must be stale */
  async cancel(locks: readonly StackLock[], cancel: () => Promise<{ code: number | null }>): Promise<boolean> {
    const stale = this.#stale(locks);
    if (locks.length === 0 || "host" in stale) return false;
    const { code } = await cancel();
    if (code === 0) this.#note(stale);
    return code === 0;
  }

  /**
   * How a run ends that the CLI refused for these locks. Pulumi Cloud's refusal does not name the update that holds the stack. The server does. Its
   * age says nothing: a live update renews its lease, and to cancel it would lose what it has rotated.
   */
  async heldBy(locks: readonly StackLock[]): Promise<Ending> {
    return this.lockedBy((await this.#facts.cloud?.holder()) ?? locks[0]);
  }

  lockedBy(lock: StackLock | undefined): Ending {
    const { project, cloud } = this.#facts;
    return { outcome: "locked", reason: lockedReason(lock, project.stack, cloud !== undefined), uncertain: null };
  }

  /** The CLI holds this machine's lock too, should this process die. */
  addOwner(pid: number): ProcessId {
    const cli = idOf(this.#facts.processes, pid);
    tried(() => {
      this.#facts.hostLock.addOwner(cli);
    });
    return cli;
  }

  /** Ends the language hosts that the CLIs of earlier runs have left. */
  endHosts(): void {
    for (const { cli } of this.#facts.started) endHostsOf(cli, this.#facts.processes);
  }

  #stale(locks: readonly StackLock[]): readonly string[] | StackLock {
    const { processes, hostLock, started, cancelLocksAfterMs, now } = this.#facts;
    const limits = { limitMs: cancelLocksAfterMs, now: now().getTime() };
    return staleLocks(locks, { processes, started, ofThisMachine: hostLock.left, ...limits });
  }

  #note(lines: readonly string[]): void {
    this.removed.push(...lines);
    for (const line of lines) this.#facts.onProgress(`removed a stale lock, of ${line}`);
  }
}
