/** Random events of a stack: an edit of the program, with faults and interruptions in the next `up`. */
import fc from "fast-check";
import type { Fault } from "../../../src/control-plane/index";
import { strikes } from "./deaths";

/** What the program declares. */
export interface Declared {
  readonly days: number;
  readonly name: string;
  /** Triggers of the trunk and of each webhook: another number causes another request. */
  readonly carrier: number;
  readonly crm: number;
  readonly billing: number;
}

/** What is interrupted during an `up`, and how. */
const interruptions = [...strikes.filter((each) => each !== "machine"), "server"] as const;

export interface Interruption {
  readonly of: (typeof interruptions)[number];
  /** The interruption comes after this many requests. */
  readonly after: number;
}

export interface Event {
  readonly edit: Declared;
  readonly faults: readonly Fault[];
  readonly interruption?: Interruption | undefined;
}

const anyEdit: fc.Arbitrary<Declared> = fc.record({
  days: fc.integer({ min: 1, max: 400 }),
  name: fc.constantFrom("Office", "Home", "Büro \u{1f3e2}"),
  carrier: fc.nat(3),
  crm: fc.nat(3),
  billing: fc.nat(3),
});

const operation = fc.constantFrom(
  ...(["putRetentionPolicy", "patchNetworkPolicy", "clearTrunkOutboundAuth"] as const),
  ...(["rotateWebhookSecret", "rotateWebhookSecret", "*"] as const),
);
const retryAfter = fc.nat(1);

const effect: fc.Arbitrary<Omit<Fault, "operation">> = fc.oneof(
  fc.record({ connection: fc.constantFrom("reset"), commit: fc.boolean() }),
  fc.record({ connection: fc.constantFrom("cut") }),
  fc.record({
    status: fc.constantFrom(500, 502, 503, 504),
    commit: fc.boolean(),
  }),
  fc.record({ status: fc.constantFrom(307, 400, 401, 403, 404, 409, 422) }),
  fc.record({ status: fc.constantFrom(429), retryAfter }),
);

const quickFault = fc
  .tuple(operation, effect, fc.integer({ min: 1, max: 6 }))
  .map(([name, what, count]) => ({ ...what, operation: name, count }));
/** Takes 20 s, the client's time limit for an answer. */
const hang = fc
  .boolean()
  .map((commit): Fault => ({ operation: "rotateWebhookSecret", connection: "hang", commit, count: 1 }));
const anyFault = fc.oneof({ weight: 30, arbitrary: quickFault }, { weight: 1, arbitrary: hang });

const anyInterruption: fc.Arbitrary<Interruption> = fc.record({
  of: fc.constantFrom(...interruptions),
  after: fc.nat(4),
});

const anyEvent: fc.Arbitrary<Event> = fc.record({
  edit: anyEdit,
  faults: fc.array(anyFault, { maxLength: 5 }),
  interruption: fc.option(anyInterruption, { nil: undefined }),
});

/** Two `up`s with faults. Each is followed by one without. */
export const anyEvents = fc.array(anyEvent, { minLength: 2, maxLength: 2 });
