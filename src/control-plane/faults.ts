/** What goes wrong with requests on purpose. */
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
