import { createHash, randomBytes } from "node:crypto";
import type { z } from "zod";
import { canonicalCidr } from "../contract/cidr.js";
import { retentionResources, type OperationName } from "../contract/index.js";
import { failure, type Failure, type Decision } from "./answers.js";
import type { Organization, WebhookRecord } from "./records.js";
import type { Clock, Store } from "./store.js";
import { networkPolicyBody, retentionPolicyBody, isUuid, issuesText } from "./wire.js";

export interface Call {
  readonly store: Store;
  readonly clock: Clock;
  readonly organization: Organization;
  /** The decoded path parameter. Empty if the operation has none. */
  readonly parameter: string;
  readonly contentType: string | undefined;
  /** undefined if the body is longer than the limit. */
  readonly body: string | undefined;
}

/** What each operation does after authorization. Each validates all input before it changes anything. */
export const handlers: Record<OperationName, (call: Call) => Decision> = {
  putRetentionPolicy(call) {
    const { store, clock, organization } = call;
    const resource = retentionResources.find((kind) => kind === call.parameter);
    if (resource === undefined) {
      return failure("BAD_REQUEST", `resource must be one of ${retentionResources.join(", ")}`);
    }
    const body = parseBody(call, retentionPolicyBody);
    if ("kind" in body) return body;
    const { maxDays } = organization.retentionPlan;
    if (maxDays !== null && body.value.retention_days > maxDays) {
      return failure("PAYMENT_REQUIRED", `the plan keeps data for at most ${maxDays} days`);
    }
    const now = clock.timestamp();
    const record = {
      organization_id: organization.id,
      resource,
      ...body.value,
      created_at: store.get("retentionPolicy", resource)?.created_at ?? now,
      updated_at: now,
    };
    store.put("retentionPolicy", resource, record);
    return { kind: "success", data: record };
  },

  patchNetworkPolicy(call) {
    const body = parseBody(call, networkPolicyBody);
    if ("kind" in body) return body;
    const name = body.value.name?.trim();
    if (name !== undefined && (name === "" || Buffer.byteLength(name) > 128)) {
      return failure("BAD_REQUEST", "name must have 1 to 128 bytes");
    }
    const source_cidr = body.value.source_cidr === undefined ? undefined : canonicalCidr(body.value.source_cidr);
    if (body.value.source_cidr !== undefined && source_cidr === undefined) {
      return failure("BAD_REQUEST", "source_cidr must be a network range in CIDR notation");
    }
    const before = call.store.get("networkPolicy", call.parameter);
    // A deployed server was observed to answer this instead of 404.
    if (before === undefined) return failure("INTERNAL_ERROR", "internal error", "no network policy has this id");
    const record = {
      ...before,
      ...(name === undefined ? {} : { name }),
      ...(source_cidr === undefined ? {} : { source_cidr }),
      updated_at: call.clock.timestamp(),
    };
    call.store.put("networkPolicy", call.parameter, record);
    return { kind: "success", data: record };
  },

  clearTrunkOutboundAuth({ store, clock, parameter }) {
    const before = store.get("trunk", parameter);
    if (before === undefined) return missing("trunk", parameter);
    store.put("trunk", before.id, { ...before, outbound_auth: "cleared", updated_at: clock.timestamp() });
    return { kind: "done" };
  },

  rotateWebhookSecret({ store, clock, parameter }) {
    const before = store.get("webhook", parameter);
    if (before === undefined) return missing("webhook", parameter);
    const signing_secret = randomBytes(32).toString("base64url");
    const record: WebhookRecord = {
      ...before,
      signing_secret_sha256: createHash("sha256").update(signing_secret).digest("hex"),
      updated_at: clock.timestamp(),
    };
    store.put("webhook", before.id, record);
    return { kind: "success", data: { webhook: publicWebhook(record), signing_secret } };
  },

  listWebhooks({ store }) {
    const newestFirst = store.list("webhook").sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
    return { kind: "success", data: { webhooks: newestFirst.map(publicWebhook) } };
  },
};

/** Deployed servers use UUIDs only. A seed may use other ids, because the interface does not restrict them. */
function missing(kind: "trunk" | "webhook", id: string): Failure {
  if (!isUuid(id)) return failure("BAD_REQUEST", `${kind}_id must be a UUID`);
  return failure("NOT_FOUND", `${kind} not found`);
}

function publicWebhook(record: WebhookRecord): object {
  return Object.fromEntries(Object.entries(record).filter(([field]) => field !== "signing_secret_sha256"));
}

/** Parses the body with `schema`. A failure names fields, never their values. */
function parseBody<T extends z.ZodType>(call: Call, schema: T): { readonly value: z.output<T> } | Failure {
  if (call.body === undefined) return failure("PAYLOAD_TOO_LARGE", "the body is too large");
  if (!/^application\/json(;|$)/i.test(call.contentType ?? "")) {
    return failure("BAD_REQUEST", "Content-Type must be application/json");
  }
  let json: unknown;
  try {
    json = JSON.parse(call.body);
  } catch {
    return failure("BAD_REQUEST", "the body is not JSON");
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { value: parsed.data } : failure("BAD_REQUEST", issuesText(parsed.error));
}
