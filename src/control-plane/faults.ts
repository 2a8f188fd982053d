/** What goes wrong with requests on purpose, and the requests that are held. */
import { EventEmitter, once } from "node:events";
import { z } from "zod";
import { operations, type OperationName } from "../contract/index.js";

export const operationField = z.enum(["*", ...(Object.keys(operations) as OperationName[])]).default("*");

export const faultSchema = z.strictObject({
  /** The operation. Default: `"*"`, all of them. */
  operation: operationField,
  /** For how many requests. Default: for all. */
  count: z.int().min(1).optional(),
  /** Waits this long, at most 600000, before the request is handled. */
  latencyMs: z.int().min(0).max(600_000).optional(),
  /** Holds the request before or after it is carried out, until `control.release()`. */
  hold: z.enum(["before", "after"]).optional(),
  /** Answers this HTTP status. */
  status: z.int().min(200).max(599).optional(),
  /** The answer's body: JSON, or a string, which is sent as text/html. Default: an error, or a gateway's page. */
  body: z.json().optional(),
  /** The header Retry-After: seconds, or a date as text. */
  retryAfter: z.union([z.int().min(0), z.string().regex(/^[ -~]+$/)]).optional(),
  /** Resets the connection, closes it after half of the answer's body, or never answers. */
  connection: z.enum(["reset", "cut", "hang"]).optional(),
  /** Whether the request is carried out. Default: false with `status`, `reset` and `hang`, else true. */
  commit: z.boolean().optional(),
});
/** What goes wrong with a request. Each field works alone, and with all others. */
export type Fault = z.input<typeof faultSchema>;
export type StoredFault = z.output<typeof faultSchema>;

export function isCarriedOut({ commit, status, connection }: StoredFault): boolean {
  return commit ?? (status === undefined && connection !== "reset" && connection !== "hang");
}

/** What a fault does, for the journal: its fields, such as "latencyMs, reset". */
export function faultText(fault: StoredFault): string {
  const fields = ["latencyMs", "hold", "status", "body", "retryAfter"].filter((name) => name in fault);
  return [...fields, fault.connection].filter((field) => field !== undefined).join(", ");
}

/** The requests that wait until a test releases them. */
export class HeldRequests {
  readonly #held = new Set<{ operation: OperationName; go: () => void; drop: (reason: Error) => void }>();
  readonly #events = new EventEmitter<{ held: [] }>().setMaxListeners(0);

  #of(operation: OperationName | "*") {
    return [...this.#held].filter((each) => ["*", each.operation].includes(operation));
  }

  /** Resolves when the request is released. */
  async hold(operation: OperationName): Promise<void> {
    await new Promise<void>((go, drop) => {
      this.#held.add({ operation, go, drop });
      this.#events.emit("held");
    });
  }

  async until(operation: OperationName | "*", count: number, signal: AbortSignal): Promise<void> {
    while (this.#of(operation).length < count) await once(this.#events, "held", { signal });
  }

  release(operation: OperationName | "*"): void {
    for (const each of this.#of(operation)) {
      this.#held.delete(each);
      each.go();
    }
  }

  /** Ends all of them: what has not been carried out is not, and a client that still waits gets an error. */
  drop(): void {
    for (const { drop } of this.#held) drop(new Error("the control plane was reset or closed"));
    this.#held.clear();
  }
}
