/** How each operation of the contract is sent. The compiler names a missing one. */
import type { OperationName } from "../../../src/contract/index.js";
import { operations as contract } from "../../../src/contract/index.js";
import * as operations from "../../../src/client/operations.js";

export type Call = (api: operations.Api) => Promise<unknown>;

export const calls: Record<OperationName, Call> = {
  putRetentionPolicy: (api) => operations.putRetentionPolicy(api, "recordings", { retention_days: 30, enabled: true }),
  patchNetworkPolicy: (api) => operations.patchNetworkPolicy(api, "np_1", { name: "Office" }),
  clearTrunkOutboundAuth: (api) => operations.clearTrunkOutboundAuth(api, "t_1"),
  rotateWebhookSecret: (api) => operations.rotateWebhookSecret(api, "wh_1"),
  listWebhooks: (api) => operations.requestWebhooks(api),
};

const names = Object.keys(calls) as OperationName[];

/** The operations that may be sent again, and those of them that change something. */
export const harmless = names.filter((name) => contract[name].idempotent);
export const settings = harmless.filter((name) => contract[name].method !== "GET");
