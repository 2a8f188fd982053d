import type { OperationName } from "../contract/index.js";
import type { KindName, kinds } from "./objects/index.js";

export type { NetworkPolicyRecord, RetentionPolicyRecord, TrunkRecord, WebhookRecord } from "./objects/index.js";

type RecordOf<Name extends KindName> = ReturnType<(typeof kinds)[Name]["seeded"]>;

/** All objects, with the field names of the interface. */
export type State = { readonly [Name in KindName]: readonly RecordOf<Name>[] };

/** One request to the interface and its answer, without tokens and secrets. */
export interface JournalEntry {
  /** Its number. Later requests have higher numbers. */
  readonly id: number;
  /** When it was handled, ISO 8601 in UTC, by the control plane's clock. */
  readonly time: string;
  /** The answer's X-Request-ID. */
  readonly requestId: string;
  /** null if the interface does not define the path or method. */
  readonly operation: OperationName | null;
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The token's name, such as "full". null if it is missing or unknown. */
  readonly token: string | null;
  /** The JSON of a PUT or PATCH. Fields that the interface does not define have the value "…". */
  readonly body: unknown;
  /** The HTTP status. null if no answer is sent. */
  readonly status: number | null;
  /** Whether the request changed something. */
  readonly committed: boolean;
  /** Why the request was refused. null if it was not. */
  readonly refusal: string | null;
  /** What the fault that applied does, such as "status" or "latencyMs, reset". */
  readonly fault: string | null;
}

/** How often each operation changed something. Operations that changed nothing are missing. */
export type Counters = Partial<
  Record<OperationName, { readonly total: number; readonly objects: Record<string, number> }>
>;
