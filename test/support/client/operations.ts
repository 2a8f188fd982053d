/** The operations, each with the data of its answer alone. */
import * as operations from "../../../src/client/operations.js";
import type { Answer } from "../../../src/client/api.js";

export const { listWebhooks } = operations;

type Parameters = readonly unknown[];

const dataOf =
  <Values extends Parameters>(operation: (...values: Values) => Promise<Answer>) =>
  async (...values: Values): Promise<unknown> =>
    (await operation(...values)).data;

export const putRetentionPolicy = dataOf(operations.putRetentionPolicy);
export const patchNetworkPolicy = dataOf(operations.patchNetworkPolicy);
export const clearTrunkOutboundAuth = dataOf(operations.clearTrunkOutboundAuth);
export const rotateWebhookSecret = dataOf(operations.rotateWebhookSecret);
