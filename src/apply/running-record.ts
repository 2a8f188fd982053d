/** The record while a run is under way: whenever the run dies, the next one knows what to do. */
import type { ProcessId } from "./processes.js";
import { recordText, type RecordStore, type RunRecord, type StartedCli } from "./record.js";

export interface RunningRecordFacts {
  /** What the last run left. */
  readonly record: RunRecord | undefined;
  readonly store: RecordStore;
  readonly host: string;
  /** The name of the run's folder. */
  readonly folder: string;
  readonly now: () => Date;
}

/** More of them say no more: an older lock is too old. */
const maxStarted = 10;

export class RunningRecord {
  /** The CLIs whose locks are known for sure. */
  readonly started: StartedCli[];
  readonly #facts: RunningRecordFacts;
  /** For the record of this run, if it ends without a report too. */
  readonly #unreportedSince: number;
  #hasBegun = false;

  constructor(facts: RunningRecordFacts) {
    this.#facts = facts;
    this.started = [...(facts.record?.started ?? [])];
    this.#unreportedSince = facts.record?.unreportedSince ?? facts.now().getTime();
  }

  /** Whether a command that changes the stack may have been started. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** When the first run began that ended without a report, ms since the epoch. */
  get unreportedSince(): number | undefined {
    return this.#facts.record?.unreportedSince;
  }

  /**
   * Before each command that changes the stack: a run has not ended. A caller whose own lock is lost with its store starts nothing more.
   *
   * @throws Error if the store is gone
   */
  async begin(): Promise<void> {
    await this.#write(this.#unfinished());
    this.#hasBegun = true;
  }

  async noteStarted(cli: ProcessId): Promise<void> {
    this.started.push({ host: this.#facts.host, cli, at: this.#facts.now().getTime() });
    await this.#write(this.#unfinished(cli));
  }

  /** The run has failed. `isReported`: its result has what was sent. */
  async fail({ isReported }: { readonly isReported: boolean }): Promise<void> {
    if (!this.#hasBegun) return;
    const failed = this.#notEnded("the last run failed");
    await this.#finish(isReported ? failed : { ...failed, unreportedSince: this.#unreportedSince });
  }

  /** Another run holds the stack, so nothing was run, and the record of the earlier run still holds. */
  async restore(): Promise<void> {
    await this.#finish(this.#facts.record ?? this.#notEnded("the stack was locked"));
  }

  async end(ending: Pick<RunRecord, "inputs" | "stateVersion" | "open" | "nextDueDate">): Promise<void> {
    const { inputs, stateVersion, open, nextDueDate } = ending;
    await this.#finish({ version: 1, inputs, stateVersion, at: this.#facts.now().getTime(), open, nextDueDate });
  }

  #unfinished(cli?: ProcessId): RunRecord {
    const { host, folder } = this.#facts;
    return {
      ...this.#notEnded("the last run did not end"),
      run: { host, folder, ...(cli && { cli }) },
      unreportedSince: this.#unreportedSince,
    };
  }

  /** @param open why the next run must not be skipped */
  #notEnded(open: string): RunRecord {
    const { now, record } = this.#facts;
    return {
      version: 1,
      inputs: {},
      at: now().getTime(),
      open,
      nextDueDate: record?.nextDueDate ?? null,
      started: this.started.slice(-maxStarted),
    };
  }

  #write(record: RunRecord): Promise<void> {
    return this.#facts.store.write(recordText(record));
  }

  #finish(record: RunRecord): Promise<void> {
    const { store } = this.#facts;
    const text = recordText(record);
    return store.finish ? store.finish(text) : store.write(text);
  }
}
