/**
 * When requests leave: in their order, and as many at a time as there are connections. After an answer with Retry-After, none leaves until that
 * time. After it, half as many as before may run at a time. Whenever that many have succeeded, one more may run.
 */

export interface Queued {
  /** ms since the epoch. */
  deadline: number;
  /** What waiting for a rate limit may still add to the deadline, ms. */
  extraWaitMs: number;
}

/** A wait that the server asks for extends the deadline, within its limit. */
export function addWait(request: Queued, waitedMs: number): void {
  const addedMs = Math.min(waitedMs, request.extraWaitMs);
  request.extraWaitMs -= addedMs;
  request.deadline += addedMs;
}

/** How a wait ended. Only after `now` does the request leave, and the client calls {@link Queue.free} when its connection is free again. */
type Turn = "now" | "late" | "stopped";

interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export class Queue {
  readonly #max: number;
  readonly #clock: Clock;
  /** The requests that wait, in their order, by what ends the wait of each. */
  readonly #waiting = new Map<(turn: Turn) => void, Queued>();
  /** How many requests may run at a time. */
  #width: number;
  #running = 0;
  /** How many requests have succeeded since the width changed. */
  #successes = 0;
  #heldUntil = 0;
  #isAsleep = false;

  constructor(max: number, clock: Clock) {
    this.#max = this.#width = max;
    this.#clock = clock;
  }

  /** Waits for a connection, and as long as the server asks all requests to wait. */
  turn(request: Queued): Promise<Turn> {
    addWait(request, this.#heldMs());
    return new Promise((resolve) => {
      this.#waiting.set(resolve, request);
      this.#next();
    });
  }

  stop(): void {
    for (const end of this.#waiting.keys()) end("stopped");
    this.#waiting.clear();
  }

  /** Lets nothing leave for `ms`. Requests that ran at the same time get the same answer, so the width is halved only once. */
  hold(ms: number): void {
    const heldMs = this.#heldMs();
    if (ms <= heldMs) return;
    if (heldMs === 0) this.#setWidth(Math.max(1, Math.floor(this.#width / 2)));
    this.#heldUntil = this.#clock.now() + ms;
    for (const request of this.#waiting.values()) addWait(request, ms - heldMs);
  }

  succeeded(): void {
    if (++this.#successes >= this.#width) this.#setWidth(Math.min(this.#max, this.#width + 1));
  }

  free(): void {
    this.#running--;
    this.#next();
  }

  #heldMs(): number {
    return Math.max(0, this.#heldUntil - this.#clock.now());
  }

  #setWidth(width: number): void {
    [this.#width, this.#successes] = [width, 0];
  }

  #next(): void {
    const heldMs = this.#heldMs();
    for (const [end, { deadline }] of this.#waiting) {
      const isLate = deadline <= this.#clock.now() + heldMs;
      if (!isLate && heldMs > 0) continue;
      if (!isLate && this.#running >= this.#width) return;
      this.#waiting.delete(end);
      if (!isLate) this.#running++;
      end(isLate ? "late" : "now");
    }
    if (this.#waiting.size > 0 && !this.#isAsleep) void this.#nextAfter(heldMs);
  }

  async #nextAfter(ms: number): Promise<void> {
    this.#isAsleep = true;
    await this.#clock.sleep(ms);
    this.#isAsleep = false;
    this.#next();
  }
}
