/** The five operations: their paths, and what each does. A refusal is thrown before anything has changed. */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { canonicalCidr } from "../contract/cidr.js";
import { operations, retentionDaysLimits, retentionResources, type OperationName } from "../contract/index.js";
import type { State, WebhookRecord } from "./records.js";
import type { Store } from "./store.js";

/** There is one organization, whichever token is used. */
export const organizationId = "d0000000-0000-4000-8000-000000000001";

export const codes: Readonly<Partial<Record<number, string>>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "PAYMENT_REQUIRED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_ENTITY",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
  501: "NOT_IMPLEMENTED",
  503: "SERVICE_UNAVAILABLE",
};

export class Refusal extends Error {
  /** @param reason for the journal, where it may say more than the answer */
  constructor(
    message: string,
    readonly status = 400,
    readonly reason = message,
  ) {
    super(message);
  }
}

const patterns = (Object.keys(operations) as OperationName[]).map((operation) => ({
  operation,
  method: operations[operation].method,
  pattern: new RegExp(`^${operations[operation].path.replace(/\{\w+\}/, "([^/]+)")}$`),
}));

/** The operation of a request with its parameter, still encoded, or the methods that the path has. `path` is not normalized. */
export function route(method: string, path: string) {
  const matches = patterns.filter(({ pattern }) => pattern.test(path));
  const match = matches.find((candidate) => candidate.method === method);
  if (match === undefined) return { allow: matches.map((known) => known.method) };
  return { operation: match.operation, parameter: match.pattern.exec(path)?.[1] ?? "" };
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** UUIDs are case-insensitive. Other ids stay as they are. */
export const canonicalId = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

export function decoded(parameter: string): string {
  try {
    return canonicalId(decodeURIComponent(parameter));
  } catch {
    throw new Refusal("the path is not percent-encoded correctly");
  }
}

export const retentionPolicyBody = z.object({
  retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
  enabled: z.boolean(),
});
const networkPolicyBody = z.object({ name: z.string().optional(), source_cidr: z.string().optional() });

/** The fields of a body that the interface defines. Others may contain anything. */
export const bodyFields = new Set(Object.keys({ ...retentionPolicyBody.shape, ...networkPolicyBody.shape }));

/** Throws every problem with its place, and without values. */
export function parsed<T extends z.ZodType>(schema: T, input: unknown, Fail: new (text: string) => Error): z.output<T> {
  const { data, error } = schema.safeParse(input);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new Fail(problems.join("; "));
}

/** All objects. */
export function stateOf({ data: { records } }: Store): State {
  return Object.fromEntries(
    Object.entries(records).map(([kind, byId]) => [kind, Object.values(byId)]),
  ) as unknown as State;
}

/** @returns the answer's `data`; undefined for a 204 */
type Handler = (store: Store, id: string, body: () => unknown) => unknown;

export const handlers: Record<OperationName, Handler> = {
  putRetentionPolicy(store, id, body) {
    const resource = retentionResources.find((kind) => kind === id);
    if (resource === undefined) throw new Refusal(`resource must be one of ${retentionResources.join(", ")}`);
    const fields = parsed(retentionPolicyBody, body(), Refusal);
    const now = store.now().toISOString();
    const created_at = store.get("retentionPolicies", resource)?.created_at ?? now;
    const record = { organization_id: organizationId, resource, ...fields, created_at, updated_at: now };
    store.data.records.retentionPolicies[resource] = record;
    return record;
  },

  patchNetworkPolicy(store, id, body) {
    const fields = parsed(networkPolicyBody, body(), Refusal);
    const before = store.get("networkPolicies", id);
    // A deployed server was observed to answer this instead of 404.
    if (before === undefined) throw new Refusal("internal error", 500, "no network policy has this id");
    const name = fields.name?.trim() ?? before.name;
    if (name === "" || Buffer.byteLength(name) > 128) throw new Refusal("name must have 1 to 128 bytes");
    const source_cidr = canonicalCidr(fields.source_cidr ?? before.source_cidr);
    if (source_cidr === undefined) throw new Refusal("source_cidr must be a network range in CIDR notation");
    const record = { ...before, name, source_cidr, updated_at: store.now().toISOString() };
    store.data.records.networkPolicies[id] = record;
    return record;
  },

  clearTrunkOutboundAuth(store, id) {
    const before = store.get("trunks", id) ?? missing("trunk", id);
    const updated_at = store.now().toISOString();
    store.data.records.trunks[id] = { ...before, outbound_auth: "cleared", updated_at };
    return undefined;
  },

  rotateWebhookSecret(store, id) {
    const before = store.get("webhooks", id) ?? missing("webhook", id);
    const signing_secret = randomBytes(32).toString("base64url");
    const signing_secret_sha256 = createHash("sha256").update(signing_secret).digest("hex");
    const record = { ...before, signing_secret_sha256, updated_at: store.now().toISOString() };
    store.data.records.webhooks[id] = record;
    return { webhook: publicWebhook(record), signing_secret };
  },

  listWebhooks(store) {
    const newestFirst = stateOf(store).webhooks.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
    return { webhooks: newestFirst.map(publicWebhook) };
  },
};

/** Deployed servers use UUIDs only. A seed may use other ids, because the interface does not restrict them. */
function missing(kind: "trunk" | "webhook", id: string): never {
  if (!isUuid(id)) throw new Refusal(`${kind}_id must be a UUID`);
  throw new Refusal(`${kind} not found`, 404);
}

function publicWebhook({ signing_secret_sha256: _, ...webhook }: WebhookRecord): object {
  return webhook;
}
