/**
 * When requests leave: in their order, as many at a time as there are connections, and none before the time that the server has named in a
 * Retry-After. Then each waits for a random time more, so that they do not all come at once.
 */

/** The longest of these random times, ms. */
const longestJitterMs = 1000;

interface GateDeps {
  readonly now: () => number;
  /** Ends early if the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

export class Gate {
  readonly #deps: GateDeps;
  #free: number;
  readonly #waiting: (() => void)[] = [];
  #heldUntil = 0;
  readonly #stopping = new AbortController();

  constructor(width: number, deps: GateDeps) {
    this.#free = width;
    this.#deps = deps;
  }

  /** Lets nothing leave for `ms`. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#deps.now() + ms);
  }

  /** Whether requests have been held since then. */
  wasHeldSince(time: number): boolean {
    return this.#heldUntil >= time;
  }

  /**
   * Waits until a request may leave. The client calls {@link leave} when its connection is free again.
   *
   * @param deadline asked again after each wait, because a hold may change it
   * @returns false if it may not leave: its deadline comes first, or the gate is closed
   */
  async enter(deadline: () => number): Promise<boolean> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    for (;;) {
      const now = this.#deps.now();
      const heldMs = Math.max(0, this.#heldUntil - now);
      if (this.isStopped() || deadline() <= now + heldMs) {
        this.leave();
        return false;
      }
      if (heldMs === 0) return true;
      await this.pause(heldMs + this.#deps.random() * longestJitterMs);
    }
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
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
    if (!this.isStopped()) await this.#deps.sleep(ms, this.#stopping.signal);
  }
}
