import { z } from "zod";
import { operations, type OperationName } from "../contract/index.js";
import type { Store } from "./store.js";

const common = {
  /** The operation that it applies to. `"*"` is all of them. */
  operation: z.enum(["*", ...(Object.keys(operations) as OperationName[])]),
  /** The probability that it applies to a request, 0 to 1. Default: 1. */
  probability: z.number().min(0).max(1).default(1),
  /** The number of requests that it applies to. Default: no limit. */
  count: z.int().min(1).optional(),
  /** Milliseconds before the request is handled, at most 600000. Default: 0. */
  latencyMs: z.int().min(0).max(600_000).default(0),
};

/** Whether the request takes effect before its answer is lost or replaced. Default: false. */
const commit = z.boolean().default(false);

export const faultSchema = z.discriminatedUnion("effect", [
  z.strictObject({
    ...common,
    /** Delays the request. */
    effect: z.literal("latency"),
  }),
  z.strictObject({
    ...common,
    /** Answers `status`. */
    effect: z.literal("status"),
    commit,
    /** The HTTP status, 200 to 599. */
    status: z.int().min(200).max(599),
    /** The Retry-After header of the answer. Default: none. */
    retryAfter: z
      .strictObject({
        /** Whole seconds from now, at most 31536000 (one year). */
        seconds: z.int().min(0).max(31_536_000),
        /** The format of the header: a number or a date. Default: `"seconds"`. */
        as: z.enum(["seconds", "date"]).default("seconds"),
      })
      .optional(),
  }),
  z.strictObject({
    ...common,
    /** Resets the connection. */
    effect: z.literal("reset"),
    commit,
  }),
  z.strictObject({
    ...common,
    /** Handles the request, sends half of the body and closes. Resets the connection if there is no body. */
    effect: z.literal("cut"),
  }),
  z.strictObject({
    ...common,
    /** Never answers. */
    effect: z.literal("hang"),
    commit,
  }),
]);

/**
 * A {@link FaultInput} with defaults.
 *
 * @category Control
 */
export type Fault = z.output<typeof faultSchema>;

/**
 * A failure to simulate. Its `effect`:
 *
 * - `latency`: delays the request.
 * - `status`: answers `status`, with Retry-After if `retryAfter` is set.
 * - `reset`: resets the connection.
 * - `cut`: handles the request, sends half of the body and closes. Resets the connection if there is no body.
 * - `hang`: never answers.
 *
 * @category Control
 * @useDeclaredType
 */
export type FaultInput = z.input<typeof faultSchema>;

/** Whether a request with `fault` takes effect. */
export function isCarriedOut(fault: Fault | undefined): boolean {
  return fault === undefined || !("commit" in fault) || fault.commit;
}

export class Faults {
  constructor(
    private readonly store: Store,
    /** 0 inclusive to 1 exclusive. */
    private readonly random: () => number,
  ) {}

  list(): Fault[] {
    return (this.store.setting("faults") as Fault[] | undefined) ?? [];
  }

  /** Call it inside a transaction. */
  replace(faults: readonly Fault[]): void {
    this.store.setSetting("faults", faults);
  }

  /** Returns the first fault that matches, and decrements its count. */
  take(operation: OperationName): Fault | undefined {
    const faults = this.list();
    const index = faults.findIndex(
      (fault) => ["*", operation].includes(fault.operation) && this.random() < fault.probability,
    );
    const fault = faults[index];
    if (fault?.count === undefined) return fault;
    const left = fault.count === 1 ? [] : [{ ...fault, count: fault.count - 1 }];
    this.store.transaction(() => {
      this.replace(faults.toSpliced(index, 1, ...left));
    });
    return fault;
  }
}
