/**
 * When requests leave: in their order, as many at a time as there are connections, and none before the time that the server has named in a
 * Retry-After. Then each waits for a random time more, so that they do not all come at once.
 */
import type { ClientDeps } from "./settings.js";

/** The longest of these random times, ms. */
const longestJitterMs = 1000;

/** The longest Retry-After that holds requests, and what a hold may add to a request's time, ms: a limit per minute ends only after the minute. */
const longestHoldMs = 120_000;

export class Gate {
  readonly #waiting: (() => void)[] = [];
  #heldUntil = 0;
  readonly #stopping = new AbortController();

  /** @param free how many requests more may leave now */
  constructor(
    private free: number,
    private readonly deps: Pick<ClientDeps, "now" | "sleep" | "random">,
  ) {}

  /** Lets nothing leave for `ms`, unless that is longer than any request may wait: then each fails with its own answer. */
  hold(ms: number): void {
    if (ms <= longestHoldMs) this.#heldUntil = Math.max(this.#heldUntil, this.deps.now() + ms);
  }

  /** What a request of this time may wait longer, because requests have been held since, ms. */
  extraMs(since: number): number {
    return this.#heldUntil >= since ? longestHoldMs : 0;
  }

  /**
   * Waits until a request may leave. The client calls {@link leave} when its connection is free again.
   *
   * @param deadline asked again after each wait, because a hold may change it
   * @returns false if it may not leave: its deadline comes first, or the gate is closed
   */
  async enter(deadline: () => number): Promise<boolean> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    for (;;) {
      const now = this.deps.now();
      const heldMs = Math.max(0, this.#heldUntil - now);
      if (this.isStopped() || deadline() <= now + heldMs) {
        this.leave();
        return false;
      }
      if (heldMs === 0) return true;
      await this.pause(heldMs + this.deps.random() * longestJitterMs);
    }
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.free++;
  }

  isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** From now on, nothing leaves, and all waits end. */
  stop(): void {
    this.#stopping.abort();
    for (const next of this.#waiting.splice(0)) next();
  }

  /** Waits this long, or until {@link stop}. */
  async pause(ms: number): Promise<void> {
    if (!this.isStopped()) await this.deps.sleep(ms, this.#stopping.signal);
  }
}
