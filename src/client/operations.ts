/** The five operations, one expression each. Paths and methods are in `contract`. All of them answer `data`. */
import type { NetworkPolicyBody, RetentionPolicyBody, RetentionResource } from "../contract/index.js";
import type { Api } from "./client.js";

/** Sets the whole policy of one kind of data. */
export const putRetentionPolicy = (api: Api, resource: RetentionResource, body: RetentionPolicyBody) =>
  api.send("putRetentionPolicy", { resource }, body);

/** Changes only the fields in the body. */
export const patchNetworkPolicy = (api: Api, id: string, body: NetworkPolicyBody) =>
  api.send("patchNetworkPolicy", { network_policy_id: id }, body);

/** Removes the credentials that a trunk uses for outbound calls. */
export const clearTrunkOutboundAuth = (api: Api, id: string) => api.send("clearTrunkOutboundAuth", { trunk_id: id });

/** Replaces a webhook's signing secret. It is never sent again once it may have been applied. */
export const rotateWebhookSecret = (api: Api, id: string) => api.send("rotateWebhookSecret", { webhook_id: id });

/** The answer may be one page of several. */
export const listWebhooks = (api: Api) => api.send("listWebhooks", {});
