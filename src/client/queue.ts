/**
 * When requests leave: in their order, and as many at a time as there are connections. After an answer with Retry-After, none leaves until
 * then. Then half as many run at a time, and one more whenever that many have succeeded.
 */
/** Calls back after `ms`, unless the function that it returns is called first. */
export type StartTimer = (ms: number, elapsed: () => void) => () => void;

/** A request that waits. */
export interface Queued {
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

/** How a wait ended. Only after `now` the request leaves, and gives its connection back with {@link Queue.free}. */
export type Turn = "now" | "late" | "stopped";

interface Waiting {
  readonly request: Queued;
  readonly end: (turn: Turn) => void;
}

interface QueueDeps {
  now(): number;
  sleep(ms: number): Promise<void>;
  readonly startTimer: StartTimer;
}

export class Queue {
  readonly #max: number;
  readonly #deps: QueueDeps;
  /** In their order. */
  readonly #waiting = new Set<Waiting>();
  readonly #idle: (() => void)[] = [];
  #width: number;
  #running = 0;
  /** Since the width changed. */
  #successes = 0;
  #heldUntil = 0;
  #isWaking = false;

  constructor(max: number, deps: QueueDeps) {
    this.#max = this.#width = max;
    this.#deps = deps;
  }

  /**
   * Waits for a connection, and as long as the server asks all requests to wait.
   *
   * @param stops has, while it waits, what ends the wait
   */
  turn(request: Queued, stops: Set<() => void>): Promise<Turn> {
    addWait(request, this.#heldMs());
    return new Promise((resolve) => {
      let stopTimer = (): void => undefined;
      const end = (turn: Turn): void => {
        stopTimer();
        stops.delete(stop);
        this.#waiting.delete(waiting);
        resolve(turn);
        this.#tellIdle();
      };
      const stop = (): void => {
        end("stopped");
      };
      const waiting = { request, end };
      const untilDeadline = (): void => {
        const ms = request.deadline - this.#deps.now();
        if (ms > 0) stopTimer = this.#deps.startTimer(ms, untilDeadline);
        else end("late");
      };
      stops.add(stop);
      this.#waiting.add(waiting);
      this.#next();
      if (this.#waiting.has(waiting)) untilDeadline();
    });
  }

  /** Lets nothing leave for `ms`. Requests that ran at the same time get the same answer, which counts once. */
  hold(ms: number): void {
    const heldMs = this.#heldMs();
    if (ms <= heldMs) return;
    if (heldMs === 0) this.#setWidth(Math.max(1, Math.floor(this.#width / 2)));
    this.#heldUntil = this.#deps.now() + ms;
    for (const { request } of this.#waiting) addWait(request, ms - heldMs);
  }

  succeeded(): void {
    if (++this.#successes >= this.#width) this.#setWidth(Math.min(this.#max, this.#width + 1));
  }

  free(): void {
    this.#running--;
    this.#next();
    this.#tellIdle();
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#tellIdle();
    });
  }

  #heldMs(): number {
    return Math.max(0, this.#heldUntil - this.#deps.now());
  }

  /** If so, what waits is looked at again afterwards. */
  #isHeld(): boolean {
    const ms = this.#heldMs();
    if (ms > 0 && !this.#isWaking) void this.#wake(ms);
    return ms > 0;
  }

  async #wake(ms: number): Promise<void> {
    this.#isWaking = true;
    await this.#deps.sleep(ms);
    this.#isWaking = false;
    this.#next();
  }

  #setWidth(width: number): void {
    [this.#width, this.#successes] = [width, 0];
  }

  #tellIdle(): void {
    if (this.#running > 0 || this.#waiting.size > 0) return;
    for (const tell of this.#idle.splice(0)) tell();
  }

  #next(): void {
    for (const { request, end } of this.#waiting) {
      if (this.#isHeld() || this.#running >= this.#width) return;
      // A timer may be late.
      const isInTime = request.deadline > this.#deps.now();
      if (isInTime) this.#running++;
      end(isInTime ? "now" : "late");
    }
  }
}
