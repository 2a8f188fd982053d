/**
 * When requests leave: in their order, and as many at a time as there are connections. After an answer with Retry-After, none leaves
 * until then. Then one does, and each answer lets one more run. When as many were answered as before the wait, one alone tries whether the
 * server takes more. So a limit costs about one refusal each time, and not one for each request.
 */
/** Calls back after `ms`, unless the function that it returns is called first. */
export type StartTimer = (ms: number, elapsed: () => void) => () => void;

/** The requests between two waits. */
export interface Round {
  /** How many may run at a time. Negative: after as many answers, the next one runs alone. */
  width: number;
  running: number;
  started: number;
  answered: number;
  /** What the server answered in the round before. 0 if that is not known. */
  readonly expected: number;
}

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

/** Whether the request leaves. It may have no time left. */
type Start = (round: Round) => boolean;

interface QueueDeps {
  now(): number;
  sleep(ms: number): Promise<void>;
  readonly startTimer: StartTimer;
}

export class Queue {
  readonly #max: number;
  readonly #deps: QueueDeps;
  /** In their order. */
  readonly #waiting = new Set<Start>();
  readonly #idle: (() => void)[] = [];
  #running = 0;
  #round: Round = { width: Infinity, running: 0, started: 0, answered: 0, expected: 0 };
  #heldUntil = 0;
  #heldMs = 0;
  #isWaking = false;

  constructor(max: number, deps: QueueDeps) {
    this.#max = max;
    this.#deps = deps;
  }

  /**
   * Waits for a connection, and as long as the server asks all requests to wait. Only the deadline ends it.
   *
   * @param stops has, while it waits, what ends the wait
   * @returns the round of the request. Its connection is given back with {@link free}
   */
  turn(request: Queued, stops: Set<() => void>): Promise<Round | "late" | "stopped"> {
    const heldBefore = this.#heldUntilNow();
    const heldSince = (): number => this.#heldUntilNow() - heldBefore;
    return new Promise((resolve) => {
      let stopTimer = (): void => undefined;
      const end = (turn: Round | "late" | "stopped"): void => {
        stopTimer();
        this.#waiting.delete(start);
        this.#tellIdle();
        stops.delete(stop);
        addWait(request, heldSince());
        resolve(turn);
      };
      const stop = (): void => {
        end("stopped");
      };
      const remainingMs = (): number =>
        request.deadline + Math.min(heldSince(), request.extraWaitMs) - this.#deps.now();
      const untilDeadline = (): void => {
        const ms = remainingMs();
        if (ms > 0) stopTimer = this.#deps.startTimer(ms, untilDeadline);
        else end("late");
      };
      const start = (round: Round): boolean => {
        // A timer may be late.
        const isInTime = remainingMs() > 0;
        end(isInTime ? round : "late");
        return isInTime;
      };
      stops.add(stop);
      this.#waiting.add(start);
      this.#next();
      if (stops.has(stop)) untilDeadline();
    });
  }

  /** Lets nothing leave for `ms`, because the answer to a request of `round` asks for it. */
  hold(round: Round, ms: number): void {
    const until = Math.max(this.#heldUntil, this.#deps.now() + ms);
    this.#heldMs += until - Math.max(this.#heldUntil, this.#deps.now());
    this.#heldUntil = until;
    // Requests that ran at the same time get the same answer.
    if (round === this.#round)
      this.#round = { width: 1, running: 0, started: 0, answered: 0, expected: round.answered };
  }

  free(round: Round): void {
    this.#running--;
    round.running--;
    round.answered++;
    round.width++;
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

  /** Time that servers have asked to wait, ms. */
  #heldUntilNow(): number {
    return this.#heldMs - Math.max(0, this.#heldUntil - this.#deps.now());
  }

  #tellIdle(): void {
    if (this.#running > 0 || this.#waiting.size > 0) return;
    for (const tell of this.#idle.splice(0)) tell();
  }

  #next(): void {
    for (const start of this.#waiting) {
      if (this.#isHeld()) return;
      const round = this.#round;
      if (this.#running >= this.#max || round.running >= round.width) return;
      this.#waiting.delete(start);
      if (!start(round)) continue;
      this.#running++;
      round.running++;
      round.started++;
      if (round.started === round.expected) round.width = 1 - round.running;
    }
  }

  #isHeld(): boolean {
    const ms = this.#heldUntil - this.#deps.now();
    if (ms <= 0) return false;
    if (!this.#isWaking) void this.#wake(ms);
    return true;
  }

  async #wake(ms: number): Promise<void> {
    this.#isWaking = true;
    await this.#deps.sleep(ms);
    this.#isWaking = false;
    this.#next();
  }
}
