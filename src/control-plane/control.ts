import { z } from "zod";
import type { Clock } from "./clock.js";
import { faultSchema, type Fault, type FaultInput, type Faults } from "./faults.js";
import type { RateLimiter } from "./rate-limits.js";
import type {
  Counters,
  JournalEntry,
  NetworkPolicyRecord,
  Organization,
  RetentionPolicyRecord,
  TrunkRecord,
  WebhookRecord,
} from "./records.js";
import { organizationOf, applySeed, seedDefaults, seedSchema, type SeedInput } from "./seed.js";
import type { Store } from "./store.js";

/**
 * What the control plane holds now.
 *
 * @category Records
 */
export interface State {
  /** The organization's own settings. */
  readonly organization: Organization;
  /** Those that were set, at most one for each kind of data. */
  readonly retentionPolicies: readonly RetentionPolicyRecord[];
  /** All network policies. */
  readonly networkPolicies: readonly NetworkPolicyRecord[];
  /** All trunks. */
  readonly trunks: readonly TrunkRecord[];
  /** All webhooks, the disabled ones included. */
  readonly webhooks: readonly WebhookRecord[];
}

/**
 * What an admin asked for is not what the control plane knows; the message names every problem, and no value.
 *
 * @category Errors
 * @hideconstructor
 */
export class AdminInputError extends Error {
  /** Tells it from other errors. */
  override readonly name = "AdminInputError";
}

export interface ControlDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly rates: RateLimiter;
}

/**
 * The admin's hands: the same in the process (`controlPlane.control`) and over HTTP (`/_control/`).
 * What is set here is stored like everything else, except rate limits' counts, which live in memory.
 *
 * @category Control
 */
export class Control {
  readonly #deps: ControlDeps;

  constructor(deps: ControlDeps) {
    this.#deps = deps;
  }

  /** What the control plane holds now. */
  state(): State {
    const { store } = this.#deps;
    return {
      organization: organizationOf(store),
      retentionPolicies: store.list("retentionPolicy"),
      networkPolicies: store.list("networkPolicy"),
      trunks: store.list("trunk"),
      webhooks: store.list("webhook"),
    };
  }

  /** Back to the default seed: no journal, no counters, no faults, the machine's own time, fresh rate limits. */
  reset(): void {
    const { store, clock, rates } = this.#deps;
    store.transaction(() => {
      store.clear();
      seedDefaults(store, clock);
    });
    rates.clear();
  }

  /**
   * Adds, replaces and removes objects and changes settings.
   *
   * @param input What to add, replace, remove or change.
   * @throws {@link AdminInputError}, and then nothing has changed.
   */
  seed(input: SeedInput): void {
    const { store, clock } = this.#deps;
    const seed = parse(seedSchema, input);
    store.transaction(() => {
      applySeed(store, clock, seed);
    });
  }

  /** Every request to the interface, oldest first; of very many, the latest 100000. */
  journal(): JournalEntry[] {
    return this.#deps.store.journal();
  }

  /** Forgets the requests so far; counters stay. */
  clearJournal(): void {
    const { store } = this.#deps;
    store.transaction(() => {
      store.clearJournal();
    });
  }

  /** The faults still set, with the counts that are left. */
  faults(): Fault[] {
    return this.#deps.faults.list();
  }

  /**
   * Sets these faults in place of all others. A request meets the first that fits.
   *
   * @param input The faults; none ends them all.
   * @throws {@link AdminInputError}, and then nothing has changed.
   */
  setFaults(input: readonly FaultInput[]): void {
    const { store, faults } = this.#deps;
    const parsed = parse(z.array(faultSchema), input);
    store.transaction(() => {
      faults.replace(parsed);
    });
  }

  /** The time that records and the Date of answers carry (ISO 8601), and how far it is from the machine's. */
  clock(): {
    /** The control plane's time, ISO 8601 in UTC. */
    readonly now: string;
    /** Milliseconds ahead of the machine's time; negative where behind. */
    readonly offsetMs: number;
  } {
    const { clock } = this.#deps;
    return { now: clock.timestamp(), offsetMs: clock.offsetMs };
  }

  /**
   * Sets the time; it goes on from there.
   *
   * @param now The time, as a date or in ISO 8601: years 0 to 9998.
   * @throws {@link AdminInputError} for what is not a date, or too far away.
   */
  setClock(now: Date | string): void {
    const instant = new Date(now);
    if (Number.isNaN(instant.getTime())) throw new AdminInputError("now: not a date");
    this.setClockOffset(this.#deps.clock.offsetTo(instant));
  }

  /**
   * Moves the time.
   *
   * @param ms Milliseconds; back where negative.
   * @throws {@link AdminInputError} for what is not a number, or leads out of the years 0 to 9998.
   */
  advanceClock(ms: number): void {
    this.setClockOffset(this.#deps.clock.offsetMs + ms);
  }

  /**
   * Sets how far the time is from the machine's.
   *
   * @param offsetMs Milliseconds ahead of it; behind where negative, 0 for the machine's own time.
   * @throws {@link AdminInputError} for what is not a number, or leads out of the years 0 to 9998.
   */
  setClockOffset(offsetMs: number): void {
    const { store, clock } = this.#deps;
    const parsed = parse(z.number(), offsetMs);
    if (!clock.canShow(parsed)) throw new AdminInputError("the clock goes from the year 0 to the year 9998");
    store.transaction(() => {
      clock.setOffset(parsed);
    });
  }

  /** How often each operation changed something, in all and per object. */
  counters(): Counters {
    return this.#deps.store.counters();
  }
}

/** Throws AdminInputError with every problem, and without the values. */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AdminInputError(
    parsed.error.issues.map((issue) => [issue.path.join("."), issue.message].filter(Boolean).join(": ")).join("; "),
  );
}
