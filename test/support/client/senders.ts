/** How a test sends each operation of the contract. The compiler names a missing one. */
import type { Api } from "../../../src/client/api.js";
import {
  operations as contract,
  type NetworkPolicyBody,
  type OperationName,
  type RetentionPolicyBody,
} from "../../../src/contract/index.js";

export const putRetentionPolicy = (api: Api, resource: string, body: RetentionPolicyBody) =>
  api.send("putRetentionPolicy", { resource }, body);
export const patchNetworkPolicy = (api: Api, id: string, body: NetworkPolicyBody) =>
  api.send("patchNetworkPolicy", { network_policy_id: id }, body);
export const clearTrunkOutboundAuth = (api: Api, id: string) => api.send("clearTrunkOutboundAuth", { trunk_id: id });
export const rotateWebhookSecret = (api: Api, id: string) => api.send("rotateWebhookSecret", { webhook_id: id });
export const listWebhooks = (api: Api) => api.send("listWebhooks", {});

export type Call = (api: Api) => Promise<unknown>;

export const calls: Record<OperationName, Call> = {
  putRetentionPolicy: (api) => putRetentionPolicy(api, "recordings", { retention_days: 30, enabled: true }),
  patchNetworkPolicy: (api) => patchNetworkPolicy(api, "np_1", { name: "Office" }),
  clearTrunkOutboundAuth: (api) => clearTrunkOutboundAuth(api, "t_1"),
  rotateWebhookSecret: (api) => rotateWebhookSecret(api, "wh_1"),
  listWebhooks,
};

const names = Object.keys(calls) as OperationName[];

/** The operations that may be sent again, and those of them that change something. */
export const harmless = names.filter((name) => contract[name].idempotent);
export const settings = harmless.filter((name) => contract[name].method !== "GET");
