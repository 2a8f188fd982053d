import type { OperationName, RetentionResource } from "../contract/index.js";

/**
 * The records of the control plane, by kind. They have the field names and units of the interface.
 *
 * @category Records
 */
export interface Records {
  /** How long a kind of data is kept. */
  readonly retentionPolicy: RetentionPolicyRecord;
  /** Which addresses may send requests. */
  readonly networkPolicy: NetworkPolicyRecord;
  /** A SIP trunk. */
  readonly trunk: TrunkRecord;
  /** A webhook. */
  readonly webhook: WebhookRecord;
}

/** The kind of a record. @category Records */
export type RecordKind = keyof Records;

interface CommonFields {
  /** The id of its organization. */
  readonly organization_id: string;
  /** When it was created, ISO 8601 in UTC, by the control plane's clock. */
  readonly created_at: string;
  /** When it was last changed, ISO 8601 in UTC, by the control plane's clock. */
  readonly updated_at: string;
}

interface FieldsWithId extends CommonFields {
  /** Its id. */
  readonly id: string;
}

/** A retention policy. @category Records */
export interface RetentionPolicyRecord extends CommonFields {
  /** The kind of data, which is the policy's id. */
  readonly resource: RetentionResource;
  /** Whole days, 1 to 3650. */
  readonly retention_days: number;
  /** Whether it is in force. */
  readonly enabled: boolean;
}

/** A network policy. @category Records */
export interface NetworkPolicyRecord extends FieldsWithId {
  /** Its name. */
  readonly name: string;
  /** Whether requests from the range are allowed. */
  readonly action: "allow" | "deny";
  /** The range in CIDR notation, in canonical form. */
  readonly source_cidr: string;
  /** Whether it is enforced. */
  readonly status: "active" | "disabled";
}

/** A SIP trunk. @category Records */
export interface TrunkRecord extends FieldsWithId {
  /** Its name. */
  readonly name: string;
  /** Whether it has credentials for outbound calls. They are not stored. */
  readonly outbound_auth: "set" | "cleared";
}

/** A webhook. @category Records */
export interface WebhookRecord extends FieldsWithId {
  /** The URL for events. The control plane sends none. */
  readonly url: string;
  /** Whether it is in use. */
  readonly enabled: boolean;
  /** The kinds of events. */
  readonly subscribed_events: readonly string[];
  /** Always 0, because the control plane sends no events. */
  readonly consecutive_failures: number;
  /** When it was disabled, ISO 8601 in UTC. Only if it is disabled. */
  readonly disabled_at?: string | undefined;
  /** Why it was disabled. Only if it is disabled. */
  readonly disabled_reason?: string | undefined;
  /** Hex SHA-256 of the signing secret. No answer has it. The secret itself is not stored. */
  readonly signing_secret_sha256: string | null;
}

/** Requests per minute, by the machine's clock. More requests answer 429. @category Records */
export interface RateLimit {
  /** GET requests per minute. */
  readonly reads: number;
  /** All other requests per minute. */
  readonly writes: number;
}

/** The organization's settings, which decide how requests are answered. @category Records */
export interface Organization {
  /** Its id. */
  readonly id: string;
  /** The address that network policies see for callers on loopback. Default: null, which enforces no network policy. */
  readonly callerAddress: string | null;
  /** The capabilities of its plan. */
  readonly entitlements: {
    /** Whether retention policies may be set. Default: true. */
    readonly retentionPolicies: boolean;
    /** Whether network policies may be changed. Default: true. */
    readonly privateNetworking: boolean;
  };
  /** The retention limits of its plan. */
  readonly retentionPlan: {
    /** The maximum of days. A PUT with more answers 402. Default: null, no limit. */
    readonly maxDays: number | null;
    /** Whether the plan service is available. If not, a PUT answers 503. Default: true. */
    readonly available: boolean;
  };
  /** The tighter of both limits applies. null turns rate limits off. */
  readonly rateLimits: {
    /** For each token. Default: 600 reads, 300 writes. */
    readonly credential: RateLimit;
    /** For all tokens together. Default: 1200 reads, 600 writes. */
    readonly organization: RateLimit;
  } | null;
}

/** One request to the interface and its answer, without tokens and secrets. @category Control */
export interface JournalEntry {
  /** Its number. Later requests have higher numbers. */
  readonly id: number;
  /** When it was handled, ISO 8601 in UTC, by the control plane's clock. */
  readonly time: string;
  /** The request id of the answer's header. */
  readonly requestId: string;
  /**
   * The operation: `putRetentionPolicy`, `patchNetworkPolicy`, `clearTrunkOutboundAuth`, `rotateWebhookSecret` or
   * `listWebhooks`. null if the interface does not define the path or method.
   */
  readonly operation: OperationName | null;
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The token's name, such as "full". null if it is missing or unknown. */
  readonly token: string | null;
  /** The parsed body of a PUT or PATCH, else null. Text if it is not JSON, or if it was cut after 4096 characters. */
  readonly body: unknown;
  /** The HTTP status. null if no answer was sent. */
  readonly status: number | null;
  /** Whether the request changed something. */
  readonly committed: boolean;
  /** Why the request was refused, even if the answer has no reason. null if it was not refused. */
  readonly refusal: string | null;
  /** The effect of the fault that applied, or null. */
  readonly fault: string | null;
}

/**
 * How often each operation changed something. Keys are `putRetentionPolicy`, `patchNetworkPolicy`,
 * `clearTrunkOutboundAuth` and `rotateWebhookSecret`. Operations without a change are missing.
 *
 * @category Control
 */
export type Counters = Partial<
  Record<
    OperationName,
    {
      /** All changes. */
      readonly total: number;
      /** Changes by the object's id. */
      readonly objects: Readonly<Record<string, number>>;
    }
  >
>;
