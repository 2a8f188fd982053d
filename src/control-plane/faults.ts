import { z } from "zod";
import { operations, type OperationName } from "../contract.js";
import type { Store } from "./store.js";

const common = {
  /** Which operation it befalls; "*" is all of them. */
  operation: z.enum(["*", ...(Object.keys(operations) as OperationName[])]),
  /** 0 to 1; 1 unless given. */
  probability: z.number().min(0).max(1).default(1),
  /** How many requests it befalls before it is gone; no end unless given. */
  count: z.int().min(1).optional(),
  /** How long the request waits before anything happens; 0 unless given. */
  latencyMs: z.int().min(0).max(600_000).default(0),
};

/** Whether the request is carried out before its answer is lost or replaced; false unless given. */
const commit = z.boolean().default(false);

export const faultSchema = z.discriminatedUnion("effect", [
  /** Only slow. */
  z.strictObject({ ...common, effect: z.literal("latency") }),
  /** Answers `status`. `retryAfter` in seconds, sent as a number or as a date. */
  z.strictObject({
    ...common,
    effect: z.literal("status"),
    commit,
    status: z.int().min(200).max(599),
    retryAfter: z
      .strictObject({ seconds: z.int().min(0), as: z.enum(["seconds", "date"]).default("seconds") })
      .optional(),
  }),
  /** Resets the connection. */
  z.strictObject({ ...common, effect: z.literal("reset"), commit }),
  /** Carries the request out, sends half of the answer's body and closes; an answer without a body is a reset. */
  z.strictObject({ ...common, effect: z.literal("cut") }),
  /** Never answers. */
  z.strictObject({ ...common, effect: z.literal("hang"), commit }),
]);
export type Fault = z.output<typeof faultSchema>;
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
