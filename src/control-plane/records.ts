import type { OperationName, RetentionResource } from "../contract.js";

/** What the control plane keeps. Records carry the names and units of the wire; settings are the control plane's own. */
export interface Records {
  readonly retentionPolicy: RetentionPolicyRecord;
  readonly networkPolicy: NetworkPolicyRecord;
  readonly trunk: TrunkRecord;
  readonly webhook: WebhookRecord;
}
export type RecordKind = keyof Records;

/** Instants are ISO 8601 in UTC, with milliseconds. */
interface Timestamps {
  readonly created_at: string;
  readonly updated_at: string;
}

export interface RetentionPolicyRecord extends Timestamps {
  readonly organization_id: string;
  readonly resource: RetentionResource;
  readonly retention_days: number;
  readonly enabled: boolean;
}

export interface NetworkPolicyRecord extends Timestamps {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly action: "allow" | "deny";
  readonly source_cidr: string;
  readonly status: "active" | "disabled";
}

export interface TrunkRecord extends Timestamps {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly outbound_auth: "set" | "cleared";
}

export interface WebhookRecord extends Timestamps {
  readonly id: string;
  readonly organization_id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly subscribed_events: readonly string[];
  readonly consecutive_failures: number;
  readonly disabled_at?: string | undefined;
  readonly disabled_reason?: string | undefined;
  /** Hex SHA-256 of the signing secret, which itself is shown once and kept nowhere. Never on the wire. */
  readonly signing_secret_sha256: string | null;
}

/** Requests a minute; reads are GETs, writes everything else. */
export interface RateLimit {
  readonly reads: number;
  readonly writes: number;
}

export interface Organization {
  readonly id: string;
  /**
   * The address that callers on loopback count as when network policies are enforced; others count as themselves.
   * null, the default: network policies are not enforced.
   */
  readonly callerAddress: string | null;
  readonly entitlements: { readonly retentionPolicies: boolean; readonly privateNetworking: boolean };
  /** `maxDays` above which a PUT answers 402, null for no limit; `available: false` answers 503. */
  readonly retentionPlan: { readonly maxDays: number | null; readonly available: boolean };
  /** null turns rate limits off. */
  readonly rateLimits: { readonly credential: RateLimit; readonly organization: RateLimit } | null;
}

/** One request to the interface, as it came and as it was answered. Holds no token and no secret. */
export interface JournalEntry {
  readonly id: number;
  /** By the control plane's clock, ISO 8601. */
  readonly time: string;
  readonly requestId: string;
  /** null where the path or the method is none of the interface's. */
  readonly operation: OperationName | null;
  readonly method: string;
  readonly path: string;
  /** The token's name, such as "full"; null for none or an unknown one. */
  readonly token: string | null;
  /** The parsed body of a PUT or PATCH, its text where that is not JSON, else null. */
  readonly body: unknown;
  /** null where no status left the server. */
  readonly status: number | null;
  readonly committed: boolean;
  /** The effect of the fault that this request met. */
  readonly fault: string | null;
}

/** How often each operation changed something, in all and per object: proof of at most once. */
export type Counters = Partial<
  Record<OperationName, { readonly total: number; readonly objects: Readonly<Record<string, number>> }>
>;
