/**
 * The API for Pulumi programs in TypeScript or JavaScript: the resources of a voice agent platform's organization, and
 * what belongs to them.
 *
 * Arguments may be outputs of other resources (`Input`). A wrong one is refused at preview, before anything is sent: the
 * error has its name and what would be right. Each resource lists its requests and errors. After a lost answer the next
 * update sends again.
 *
 * @module pulumi-voiceplane
 */
import "../provider/supported-node.js";
export * from "./generated/index.js";
export { listWebhooks } from "./list-webhooks.js";
export { Organization } from "./organization.js";
export { Provider, type ProviderArgs } from "./provider.js";
export type { Webhook } from "../resources/webhook-secret/list.js";
