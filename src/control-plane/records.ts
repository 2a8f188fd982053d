import type { OperationName, RetentionResource } from "../contract/index.js";

interface CommonFields {
  readonly organization_id: string;
  /** ISO 8601 in UTC, by the control plane's clock. */
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RetentionPolicyRecord extends CommonFields {
  readonly resource: RetentionResource;
  readonly retention_days: number;
  readonly enabled: boolean;
}

export interface NetworkPolicyRecord extends CommonFields {
  readonly id: string;
  readonly name: string;
  readonly action: "allow" | "deny";
  readonly source_cidr: string;
  readonly status: "active" | "disabled";
}

export interface TrunkRecord extends CommonFields {
  readonly id: string;
  readonly name: string;
  readonly outbound_auth: "set" | "cleared";
}

export interface WebhookRecord extends CommonFields {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly subscribed_events: readonly string[];
  readonly consecutive_failures: number;
  readonly disabled_at?: string | undefined;
  readonly disabled_reason?: string | undefined;
  /** Hex SHA-256 of the signing secret; null before the first rotation. No answer has it. The secret itself is not stored. */
  readonly signing_secret_sha256: string | null;
}

/** All objects, with the field names of the interface. */
export interface State {
  readonly retentionPolicies: readonly RetentionPolicyRecord[];
  readonly networkPolicies: readonly NetworkPolicyRecord[];
  readonly trunks: readonly TrunkRecord[];
  readonly webhooks: readonly WebhookRecord[];
}

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
