import type { ClientDeps } from "../../../src/client/settings.js";

/** A clock that only tests move: sleeping takes no time, and timers elapse when they are told to. */
export class FakeTime implements Omit<ClientDeps, "env" | "debug"> {
  /** 2026-01-01T00:00:00Z, ms. */
  #now = 1_767_225_600_000;
  readonly #timers = new Set<{ readonly at: number; readonly elapsed: () => void }>();
  /** Every sleep that was asked for, ms. */
  readonly slept: number[] = [];
  readonly now = () => this.#now;
  readonly random = () => 0.5;

  readonly sleep = (ms: number): Promise<void> => {
    this.slept.push(ms);
    this.advance(ms);
    return Promise.resolve();
  };

  readonly startTimer = (ms: number, elapsed: () => void) => {
    const timer = { at: this.#now + ms, elapsed };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };

  get timers(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.elapsed();
    }
  }
}
