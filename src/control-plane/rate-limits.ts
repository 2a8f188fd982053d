import type { Organization, RateLimit } from "./records.js";

const windowMs = 60_000;

export interface RateStatus {
  readonly exceeded: boolean;
  /** Headers of the answer about the tighter limit. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts requests per calendar minute, for each credential and for the organization. Counts are kept in memory. */
export class RateLimiter {
  readonly #used = new Map<string, number>();
  #window = 0;

  /** @param now the machine's time in milliseconds, so that moving the control plane's clock resets no limit */
  constructor(private readonly now: () => number) {}

  clear(): void {
    this.#used.clear();
  }

  /** Counts one request and returns the status of the tighter limit, or undefined if limits are off. */
  take(limits: Organization["rateLimits"], credential: string, kind: keyof RateLimit): RateStatus | undefined {
    if (limits === null) return undefined;
    const now = this.now();
    const window = Math.floor(now / windowMs);
    if (window !== this.#window) this.clear();
    this.#window = window;

    const counts = [
      this.#count(`credential ${credential} ${kind}`, limits.credential[kind]),
      this.#count(`organization ${kind}`, limits.organization[kind]),
    ];
    const tighter = counts.reduce((a, b) => (b.left < a.left ? b : a));
    const exceeded = tighter.left < 0;
    const end = (window + 1) * windowMs;
    return {
      exceeded,
      headers: {
        "X-RateLimit-Limit": String(tighter.limit),
        "X-RateLimit-Remaining": String(Math.max(tighter.left, 0)),
        "X-RateLimit-Reset": String(end / 1000),
        ...(exceeded && { "Retry-After": String(Math.ceil((end - now) / 1000)) }),
      },
    };
  }

  #count(key: string, limit: number): { limit: number; left: number } {
    const used = (this.#used.get(key) ?? 0) + 1;
    this.#used.set(key, used);
    return { limit, left: limit - used };
  }
}
