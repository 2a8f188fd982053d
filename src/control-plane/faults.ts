import { z } from "zod";
import { operations, type OperationName } from "../contract.js";
import type { Store } from "./store.js";

const common = {
  /** Which operation it befalls; `"*"` is all of them. */
  operation: z.enum(["*", ...(Object.keys(operations) as OperationName[])]),
  /** How likely a request is to meet it, 0 to 1. Default: 1. */
  probability: z.number().min(0).max(1).default(1),
  /** How many requests it befalls before it is gone. Default: no end. */
  count: z.int().min(1).optional(),
  /** Milliseconds that the request waits before anything happens, at most 600000. Default: 0. */
  latencyMs: z.int().min(0).max(600_000).default(0),
};

/** Whether the request is carried out before its answer is lost or replaced. Default: false. */
const commit = z.boolean().default(false);

export const faultSchema = z.discriminatedUnion("effect", [
  z.strictObject({
    ...common,
    /** Only slow. */
    effect: z.literal("latency"),
  }),
  z.strictObject({
    ...common,
    /** Answers `status`. */
    effect: z.literal("status"),
    commit,
    /** The HTTP status, 200 to 599. */
    status: z.int().min(200).max(599),
    /** The answer's header Retry-After. Default: it has none. */
    retryAfter: z
      .strictObject({
        /** Whole seconds from now, at most 31536000, which is a year. */
        seconds: z.int().min(0).max(31_536_000),
        /** How the header says it: as a number, or as the date by then. Default: `"seconds"`. */
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
    /** Carries the request out, sends half of the answer's body and closes; an answer without a body is a reset. */
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
 * A fault that is set: a {@link FaultInput} with its defaults filled in.
 *
 * @category Control
 */
export type Fault = z.output<typeof faultSchema>;

/**
 * Something that goes wrong with requests. By its `effect`:
 *
 * - `latency`: only slow.
 * - `status`: answers `status`, with a Retry-After where `retryAfter` is given.
 * - `reset`: resets the connection.
 * - `cut`: carries the request out, sends half of the answer's body and closes; an answer without a body is a reset.
 * - `hang`: never answers.
 *
 * @category Control
 * @useDeclaredType
 */
export type FaultInput = z.input<typeof faultSchema>;

/** Whether a request that meets `fault` is carried out. */
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

  /** Call inside a transaction. */
  replace(faults: readonly Fault[]): void {
    this.store.setSetting("faults", faults);
  }

  /** The fault that befalls this request, the first that fits; one with a count is used up by one. */
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
