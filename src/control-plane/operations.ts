/** The operations: their paths, and what each does to the objects. */
import { createHash, randomBytes } from "node:crypto";
import { operations, retentionResources, type OperationName } from "../contract/index.js";
import { bodies, canonicalId, parsed, RefusedRequest, type ObjectOf, type Objects } from "./objects.js";

const patterns = (Object.keys(operations) as OperationName[]).map((operation) => ({
  operation,
  method: operations[operation].method,
  pattern: new RegExp(`^${operations[operation].path.replace(/\{\w+\}/, "([^/]+)")}$`),
}));

/** The operation of a request, and its object. `path` is not normalized. */
export function route(method: string, path: string): { operation: OperationName; id: string } | undefined {
  const match = patterns.find((known) => known.method === method && known.pattern.test(path));
  if (match === undefined) return undefined;
  return { operation: match.operation, id: canonicalId(decodeURIComponent(match.pattern.exec(path)?.[1] ?? "")) };
}

/** A request that a token with the right has sent. */
interface AllowedRequest {
  readonly id: string;
  /** The control plane's time, ISO 8601 in UTC. */
  readonly now: string;
  readonly body: unknown;
}

/** What each operation does to the objects. It returns the answer's `data`; undefined for a 204. @throws RefusedRequest before anything has changed */
export const handlers: Readonly<Record<OperationName, (objects: Objects, request: AllowedRequest) => unknown>> = {
  putRetentionPolicy({ retentionPolicies }, { id, now, body }) {
    const resource = retentionResources.find((known) => known === id);
    if (resource === undefined) throw new RefusedRequest(`resource must be one of ${retentionResources.join(", ")}`);
    const fields = parsed(bodies.retentionPolicy, body, RefusedRequest);
    return (retentionPolicies[id] = { resource, ...fields, updated_at: now });
  },

  patchNetworkPolicy({ networkPolicies }, { id, now, body }) {
    const before = networkPolicies[id] ?? refuseUnknown(operations.patchNetworkPolicy.unknownId);
    const { name = before.name, source_cidr = before.source_cidr } = parsed(bodies.networkPolicy, body, RefusedRequest);
    return (networkPolicies[id] = { ...before, name, source_cidr, updated_at: now });
  },

  clearTrunkOutboundAuth({ trunks }, { id, now }) {
    trunks[id] = { ...(trunks[id] ?? refuseUnknown()), outbound_auth: "cleared", updated_at: now };
  },

  rotateWebhookSecret({ webhooks }, { id, now }) {
    const before = webhooks[id] ?? refuseUnknown();
    const signing_secret = randomBytes(32).toString("base64url");
    const signing_secret_sha256 = createHash("sha256").update(signing_secret).digest("hex");
    const webhook = (webhooks[id] = { ...before, signing_secret_sha256, updated_at: now });
    return { webhook: publicWebhook(webhook), signing_secret };
  },

  listWebhooks: ({ webhooks }) => ({ webhooks: Object.values(webhooks).map(publicWebhook) }),
};

function refuseUnknown(status = 404): never {
  throw new RefusedRequest("no object has this id", status);
}

function publicWebhook({ signing_secret_sha256: _, ...webhook }: ObjectOf<"webhooks">): object {
  return webhook;
}
