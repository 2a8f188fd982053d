import { z } from "zod";
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
import type { Clock, Store } from "./store.js";
import { issuesText } from "./wire.js";

/** The page shows years with four digits. The last year stays free, because the clock runs on after it is set. */
const earliest = Date.parse("0000-01-01T00:00:00Z");
const latest = Date.parse("9999-01-01T00:00:00Z");

/** The state of the control plane. @category Records */
export interface State {
  /** The organization's settings. */
  readonly organization: Organization;
  /** The retention policies that are set, at most one for each kind of data. */
  readonly retentionPolicies: readonly RetentionPolicyRecord[];
  /** All network policies. */
  readonly networkPolicies: readonly NetworkPolicyRecord[];
  /** All trunks. */
  readonly trunks: readonly TrunkRecord[];
  /** All webhooks, including disabled ones. */
  readonly webhooks: readonly WebhookRecord[];
}

/**
 * The input of an admin call is invalid. The message names every problem, and no value.
 *
 * @category Errors
 * @hideconstructor
 */
export class AdminInputError extends Error {
  /** The name of the class. */
  override readonly name = "AdminInputError";
}

export interface ControlDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly rates: RateLimiter;
}

/**
 * The admin API, in the process (`controlPlane.control`) and over HTTP (`/_control/`). All data is stored, except the
 * counts of rate limits.
 *
 * @category Control
 */
export class Control {
  readonly #deps: ControlDeps;

  constructor(deps: ControlDeps) {
    this.#deps = deps;
  }

  /** Returns the state of the control plane. */
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

  /** Restores the default seed. Clears the journal, counters, faults, clock offset and rate limits. */
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
   * @throws {@link AdminInputError} if the input is invalid. Nothing has changed then.
   */
  seed(input: SeedInput): void {
    const { store, clock } = this.#deps;
    const seed = parse(seedSchema, input);
    store.transaction(() => {
      applySeed(store, clock, seed);
    });
  }

  /**
   * Returns requests to the interface, oldest first. It has the latest 100000, and fewer if they are longer than 64 MiB.
   *
   * @param part The latest ones only, or the first ones with higher ids than `after`. Default: all.
   */
  journal(
    part: { readonly latest?: number } | { readonly after: number; readonly limit: number } = {},
  ): JournalEntry[] {
    const { store } = this.#deps;
    return "after" in part ? store.journalAfter(part.after, part.limit) : store.journal(part.latest);
  }

  /** Deletes all journal entries. Counters stay. */
  clearJournal(): void {
    const { store } = this.#deps;
    store.transaction(() => {
      store.clearJournal();
    });
  }

  /** Returns the faults that are set, with their remaining counts. */
  faults(): Fault[] {
    return this.#deps.faults.list();
  }

  /**
   * Replaces all faults. The first fault that matches a request applies.
   *
   * @param input The faults. An empty list removes all.
   * @throws {@link AdminInputError} if the input is invalid. Nothing has changed then.
   */
  setFaults(input: readonly FaultInput[]): void {
    const { store, faults } = this.#deps;
    const parsed = parse(z.array(faultSchema), input);
    store.transaction(() => {
      faults.replace(parsed);
    });
  }

  /** Returns the control plane's time, and its offset from the machine's time. */
  clock(): {
    /** The control plane's time, ISO 8601 in UTC. */
    readonly now: string;
    /** Milliseconds ahead of the machine's time. Negative if behind. */
    readonly offsetMs: number;
  } {
    const { clock } = this.#deps;
    return { now: clock.timestamp(), offsetMs: clock.offsetMs };
  }

  /**
   * Sets the time. The clock runs on from there.
   *
   * @param now The time, as a date or in ISO 8601: years 0 to 9998.
   * @throws {@link AdminInputError} if it is not a date in this range.
   */
  setClock(now: Date | string): void {
    const instant = new Date(now);
    if (Number.isNaN(instant.getTime())) throw new AdminInputError("now: not a date");
    this.setClockOffset(instant.getTime() - this.#deps.clock.machine());
  }

  /**
   * Moves the time.
   *
   * @param ms Milliseconds. Negative values move it back.
   * @throws {@link AdminInputError} if it is not a number, or leads out of the years 0 to 9998.
   */
  advanceClock(ms: number): void {
    this.setClockOffset(this.#deps.clock.offsetMs + ms);
  }

  /**
   * Sets the offset from the machine's time.
   *
   * @param offsetMs Milliseconds ahead. Negative if behind, 0 for the machine's time.
   * @throws {@link AdminInputError} if it is not a number, or leads out of the years 0 to 9998.
   */
  setClockOffset(offsetMs: number): void {
    const { store, clock } = this.#deps;
    const parsed = parse(z.number(), offsetMs);
    const instant = clock.machine() + parsed;
    if (!(instant >= earliest && instant <= latest)) {
      throw new AdminInputError("the time has to be in the years 0 to 9998");
    }
    store.transaction(() => {
      clock.offsetMs = parsed;
    });
  }

  /** Returns how often each operation changed something, in total and per object. */
  counters(): Counters {
    return this.#deps.store.counters();
  }
}

/** Throws AdminInputError with every problem and without values. */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AdminInputError(issuesText(parsed.error));
}
