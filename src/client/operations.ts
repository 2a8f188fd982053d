/** The five operations, and their paths. */
import {
  operations,
  type NetworkPolicyBody,
  type OperationName,
  type RetentionPolicyBody,
  type RetentionResource,
} from "../contract/index.js";
import type { Api, PathParameters, SendOptions } from "./api.js";
import { problem } from "../values/diagnostic.js";
import { ConfigError } from "./errors.js";

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

/** The list in the answer may be one page of several. */
export const listWebhooks = (api: Api, options?: SendOptions) => api.send("listWebhooks", {}, undefined, options);

/**
 * @param isOpen whether a parameter is not known: it then stands in braces, as in the contract
 * @throws ConfigError if a parameter cannot be exactly one segment of the path
 */
export function pathOf(
  operation: OperationName,
  parameters: PathParameters,
  isOpen: (parameter: string) => boolean = () => false,
): string {
  const { path } = operations[operation];
  return path.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const parameter = parameters[name] ?? "";
    if (isOpen(parameter)) return braces;
    const reason = segmentProblem(parameter);
    if (reason !== undefined)
      throw new ConfigError(problem("id-in-path", `The id in ${path.replace(braces, "{id}")} ${reason}.`));
    return encodeURIComponent(parameter);
  });
}

function segmentProblem(parameter: string): string | undefined {
  if (parameter === "") return "is empty";
  // Servers resolve these even if they are percent-encoded.
  if (parameter === "." || parameter === "..") return "is made of dots only, which means another path";
  return parameter.isWellFormed() ? undefined : "is not valid Unicode";
}
