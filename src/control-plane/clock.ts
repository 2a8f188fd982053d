import type { Store } from "./store.js";

/** The page shows years with four digits. The last year stays free, because the clock runs on after it is set. */
const earliest = Date.parse("0000-01-01T00:00:00Z");
const latest = Date.parse("9999-01-01T00:00:00Z");

/** The control plane's time: the machine's time plus an offset that the admin sets. */
export class Clock {
  constructor(
    private readonly store: Store,
    /** Milliseconds since the epoch. */
    private readonly machine: () => number,
  ) {}

  /** Milliseconds ahead of the machine. 0 unless set. */
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

  /** The offset that makes `instant` the current time. */
  offsetTo(instant: Date): number {
    return instant.getTime() - this.machine();
  }

  /** Whether this offset leads to a time that the page can show. */
  canShow(offsetMs: number): boolean {
    const instant = this.machine() + offsetMs;
    return instant >= earliest && instant <= latest;
  }

  /** Call it inside a transaction, with an offset that {@link canShow} accepts. */
  setOffset(offsetMs: number): void {
    this.store.setSetting("clockOffsetMs", offsetMs);
  }
}
