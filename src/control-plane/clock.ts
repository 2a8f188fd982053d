import type { Store } from "./store.js";

/** The time that records carry: the machine's, plus an offset that the admin sets. */
export class Clock {
  constructor(
    private readonly store: Store,
    /** Milliseconds since the epoch. */
    private readonly machine: () => number,
  ) {}

  /** In milliseconds; 0 unless set. */
  get offsetMs(): number {
    return (this.store.setting("clockOffsetMs") as number | undefined) ?? 0;
  }

  now(): Date {
    return new Date(this.machine() + this.offsetMs);
  }

  /** ISO 8601 in UTC. */
  timestamp(): string {
    return this.now().toISOString();
  }

  setOffset(offsetMs: number): void {
    this.store.setSetting("clockOffsetMs", offsetMs);
  }

  setNow(instant: Date): void {
    this.setOffset(instant.getTime() - this.machine());
  }
}
