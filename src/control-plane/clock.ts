import type { Store } from "./store.js";

/**
 * What the clock may be set to, in milliseconds since the epoch: the page counts on years of four digits, and `Date` itself
 * ends with the year 275760. One year is left, since the time goes on from there.
 */
const earliest = Date.parse("0000-01-01T00:00:00Z");
const latest = Date.parse("9999-01-01T00:00:00Z");

/** The time that records and the Date of answers carry: the machine's, plus an offset that the admin sets. */
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

  /** The offset by which it is `instant` now. */
  offsetTo(instant: Date): number {
    return instant.getTime() - this.machine();
  }

  /** Whether all of the control plane can live with the time that this offset gives. */
  canShow(offsetMs: number): boolean {
    const instant = this.machine() + offsetMs;
    return instant >= earliest && instant <= latest;
  }

  /** Call inside a transaction, with an offset that {@link canShow} has passed. */
  setOffset(offsetMs: number): void {
    this.store.setSetting("clockOffsetMs", offsetMs);
  }
}
