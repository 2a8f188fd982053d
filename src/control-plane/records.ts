import type { OperationName, RetentionResource } from "../contract.js";

/**
 * What the control plane keeps, by kind. Records carry the names and units of the wire; settings are the control plane's
 * own.
 *
 * @category Records
 */
export interface Records {
  /** How long a kind of data is kept. */
  readonly retentionPolicy: RetentionPolicyRecord;
  /** Which addresses may call. */
  readonly networkPolicy: NetworkPolicyRecord;
  /** A SIP trunk. */
  readonly trunk: TrunkRecord;
  /** A webhook. */
  readonly webhook: WebhookRecord;
}

/**
 * The kind of a record.
 *
 * @category Records
 */
export type RecordKind = keyof Records;

/** Instants are ISO 8601 in UTC, with milliseconds. */
interface Timestamps {
  /** When it was made, ISO 8601 in UTC, by the control plane's clock. */
  readonly created_at: string;
  /** When it was changed last, ISO 8601 in UTC, by the control plane's clock. */
  readonly updated_at: string;
}

/**
 * A retention policy.
 *
 * @category Records
 */
export interface RetentionPolicyRecord extends Timestamps {
  /** Whose it is. */
  readonly organization_id: string;
  /** The kind of data, which is the policy's id. */
  readonly resource: RetentionResource;
  /** Whole days, 1 to 3650. */
  readonly retention_days: number;
  /** Whether it is in force. */
  readonly enabled: boolean;
}

/**
 * A network policy.
 *
 * @category Records
 */
export interface NetworkPolicyRecord extends Timestamps {
  /** Its id. */
  readonly id: string;
  /** Whose it is. */
  readonly organization_id: string;
  /** What people call it. */
  readonly name: string;
  /** Whether the range may call, or may not. */
  readonly action: "allow" | "deny";
  /** The range in CIDR notation, canonically spelled. */
  readonly source_cidr: string;
  /** Whether it counts. */
  readonly status: "active" | "disabled";
}

/**
 * A SIP trunk.
 *
 * @category Records
 */
export interface TrunkRecord extends Timestamps {
  /** Its id. */
  readonly id: string;
  /** Whose it is. */
  readonly organization_id: string;
  /** What people call it. */
  readonly name: string;
  /** Whether it has credentials for outbound calls; which ones is kept nowhere. */
  readonly outbound_auth: "set" | "cleared";
}

/**
 * A webhook.
 *
 * @category Records
 */
export interface WebhookRecord extends Timestamps {
  /** Its id. */
  readonly id: string;
  /** Whose it is. */
  readonly organization_id: string;
  /** Where events would be sent; the control plane sends none. */
  readonly url: string;
  /** Whether it is in use. */
  readonly enabled: boolean;
  /** The kinds of events. */
  readonly subscribed_events: readonly string[];
  /** Deliveries that failed since one succeeded; always 0, as none are made. */
  readonly consecutive_failures: number;
  /** When it was disabled, ISO 8601 in UTC; only of a disabled one. */
  readonly disabled_at?: string | undefined;
  /** Why it was disabled; only of a disabled one. */
  readonly disabled_reason?: string | undefined;
  /** Hex SHA-256 of the signing secret, which itself is shown once and kept nowhere. Never on the wire. */
  readonly signing_secret_sha256: string | null;
}

/**
 * Requests a minute, by the machine's clock; one too many answers 429.
 *
 * @category Records
 */
export interface RateLimit {
  /** GETs a minute. */
  readonly reads: number;
  /** All other requests a minute. */
  readonly writes: number;
}

/**
 * The organization's own settings, which decide what requests are answered.
 *
 * @category Records
 */
export interface Organization {
  /** Its id. */
  readonly id: string;
  /**
   * The address that callers on loopback count as when network policies are enforced; others count as themselves.
   * Default: null, network policies are not enforced.
   */
  readonly callerAddress: string | null;
  /** What the organization has paid for. */
  readonly entitlements: {
    /** Whether retention policies may be set. Default: true. */
    readonly retentionPolicies: boolean;
    /** Whether network policies may be changed. Default: true. */
    readonly privateNetworking: boolean;
  };
  /** What its plan says of retention. */
  readonly retentionPlan: {
    /** Days above which a PUT answers 402. Default: null, no limit. */
    readonly maxDays: number | null;
    /** Whether the plan can be looked up; a PUT answers 503 where not. Default: true. */
    readonly available: boolean;
  };
  /** The tighter of both counts; null turns rate limits off. */
  readonly rateLimits: {
    /** For each token. Default: 600 reads, 300 writes. */
    readonly credential: RateLimit;
    /** For all tokens together. Default: 1200 reads, 600 writes. */
    readonly organization: RateLimit;
  } | null;
}

/**
 * One request to the interface, as it came and as it was answered. Holds no token and no secret.
 *
 * @category Control
 */
export interface JournalEntry {
  /** Its number, which grows from request to request. */
  readonly id: number;
  /** When it came, ISO 8601 in UTC, by the control plane's clock. */
  readonly time: string;
  /** What the answer's header calls it. */
  readonly requestId: string;
  /**
   * The operation: `putRetentionPolicy`, `patchNetworkPolicy`, `clearTrunkOutboundAuth`, `rotateWebhookSecret` or
   * `listWebhooks`; null where the path or the method is none of the interface's.
   */
  readonly operation: OperationName | null;
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The token's name, such as "full"; null for none or an unknown one. */
  readonly token: string | null;
  /**
   * The parsed body of a PUT or PATCH, else null. Its text where that is not JSON, or is longer than 4096 characters: it is
   * cut there, with "…" at its end.
   */
  readonly body: unknown;
  /** The HTTP status; null where none left the server. */
  readonly status: number | null;
  /** Whether it changed something. */
  readonly committed: boolean;
  /**
   * Why it was refused, also where the answer did not say: the dialect `bare` has no words, and a fault may have replaced
   * them. Null where it was not.
   */
  readonly refusal: string | null;
  /** The effect of the fault that this request met; null where it met none. */
  readonly fault: string | null;
}

/**
 * How often each operation changed something: proof of at most once. Keys are `putRetentionPolicy`, `patchNetworkPolicy`,
 * `clearTrunkOutboundAuth` and `rotateWebhookSecret`; one that never did is missing.
 *
 * @category Control
 */
export type Counters = Partial<
  Record<
    OperationName,
    {
      /** Times in all. */
      readonly total: number;
      /** Times by the object's id. */
      readonly objects: Readonly<Record<string, number>>;
    }
  >
>;
