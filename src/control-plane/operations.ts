/** The operations: their paths, and what each does to the objects. */
import { createHash, randomBytes } from "node:crypto";
import { canonicalCidr } from "../contract/cidr.js";
import { operations, retentionResources, type OperationName } from "../contract/index.js";
import {
  bodies,
  canonicalId,
  refuseMissing,
  organizationId,
  parsed,
  RefusedRequest,
  type ObjectOf,
  type Objects,
} from "./objects.js";

export const errorCodes: Readonly<Partial<Record<number, string>>> = {
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

export function parameterId(parameter: string): string {
  try {
    return canonicalId(decodeURIComponent(parameter));
  } catch {
    throw new RefusedRequest("the path is not percent-encoded correctly");
  }
}

/** The fields of a body that the interface defines. Others may contain anything. */
export const bodyFields: ReadonlySet<string> = new Set(
  Object.values(bodies).flatMap(({ shape }) => Object.keys(shape)),
);

/** A request that a token with the right has sent. */
interface AllowedRequest {
  readonly id: string;
  /** The control plane's time, ISO 8601 in UTC. */
  readonly now: string;
  /** The body's JSON. @throws RefusedRequest if the body is not JSON */
  readonly json: () => unknown;
}

/** What each operation does to the objects. It returns the answer's `data`; undefined for a 204. @throws RefusedRequest before anything has changed */
export const handlers: Readonly<Record<OperationName, (objects: Objects, request: AllowedRequest) => unknown>> = {
  putRetentionPolicy({ retentionPolicies }, { id, now, json }) {
    const resource = retentionResources.find((known) => known === id);
    if (resource === undefined) throw new RefusedRequest(`resource must be one of ${retentionResources.join(", ")}`);
    const fields = parsed(bodies.retentionPolicy, json(), RefusedRequest);
    const created_at = retentionPolicies[id]?.created_at ?? now;
    const policy = { organization_id: organizationId, resource, ...fields, created_at, updated_at: now };
    return (retentionPolicies[id] = policy);
  },

  patchNetworkPolicy({ networkPolicies }, { id, now, json }) {
    const fields = parsed(bodies.networkPolicy, json(), RefusedRequest);
    const before = networkPolicies[id];
    // A deployed server was observed to answer this instead of 404.
    if (before === undefined) throw new RefusedRequest("internal error", 500, "no network policy has this id");
    const name = fields.name?.trim() ?? before.name;
    if (name === "" || Buffer.byteLength(name) > 128) throw new RefusedRequest("name must have 1 to 128 bytes");
    const source_cidr = canonicalCidr(fields.source_cidr ?? before.source_cidr);
    if (source_cidr === undefined) throw new RefusedRequest("source_cidr must be a network range in CIDR notation");
    return (networkPolicies[id] = { ...before, name, source_cidr, updated_at: now });
  },

  clearTrunkOutboundAuth({ trunks }, { id, now }) {
    trunks[id] = { ...(trunks[id] ?? refuseMissing("trunk", id)), outbound_auth: "cleared", updated_at: now };
  },

  rotateWebhookSecret({ webhooks }, { id, now }) {
    const before = webhooks[id] ?? refuseMissing("webhook", id);
    const signing_secret = randomBytes(32).toString("base64url");
    const signing_secret_sha256 = createHash("sha256").update(signing_secret).digest("hex");
    const webhook = (webhooks[id] = { ...before, signing_secret_sha256, updated_at: now });
    return { webhook: publicWebhook(webhook), signing_secret };
  },

  listWebhooks({ webhooks }) {
    const newestFirst = Object.values(webhooks).sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
    return { webhooks: newestFirst.map(publicWebhook) };
  },
};

function publicWebhook({ signing_secret_sha256: _, ...webhook }: ObjectOf<"webhooks">): object {
  return { ...webhook, ...(!webhook.enabled && { disabled_at: webhook.created_at }) };
}
