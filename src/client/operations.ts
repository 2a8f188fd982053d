/** The five operations, one expression each: the only place where paths are written down. */
import type { NetworkPolicyBody, RetentionPolicyBody, RetentionResource } from "../contract.js";
import type { Api } from "./api.js";
import { path } from "./path.js";

// All of these reject with ConfigError, not throw, where an id cannot stand in a path: hence the async arrows.

/** Sets the whole policy of one kind of data. Answers `data`, whose shape the interface leaves open. */
export const putRetentionPolicy = async (api: Api, resource: RetentionResource, body: RetentionPolicyBody) =>
  api.send("putRetentionPolicy", path`/v1/retention-policies/${resource}`, body);

/** Changes the fields given and no others. Answers `data`, whose shape the interface leaves open. */
export const patchNetworkPolicy = async (api: Api, id: string, body: NetworkPolicyBody) =>
  api.send("patchNetworkPolicy", path`/v1/network-policies/${id}`, body);

/** Removes the credentials that a trunk uses for outbound calls. */
export const clearTrunkOutboundAuth = async (api: Api, id: string) =>
  api.send("clearTrunkOutboundAuth", path`/v1/trunks/${id}/outbound-auth`);

/** Replaces a webhook's signing secret. Never re-sent once it may have been carried out: see {@link outcomeOf}. */
export const rotateWebhookSecret = async (api: Api, id: string) =>
  api.send("rotateWebhookSecret", path`/v1/webhooks/${id}/rotate-secret`);

/** Answers `data`, whose shape the interface leaves open; it may be one page of several. */
export const listWebhooks = async (api: Api) => api.send("listWebhooks", path`/v1/webhooks/`);
