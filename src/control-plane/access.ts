import { contains, parseAddressOrCidr, parseCidr } from "../contract/cidr.js";
import type { OperationName } from "../contract/index.js";
import { failure, type Failure } from "./answers.js";
import type { NetworkPolicyRecord, Organization } from "./records.js";

/** What each operation needs: a scope, with a colon, where the interface names one, else a permission. */
const requiredRight = {
  putRetentionPolicy: "retention",
  patchNetworkPolicy: "networking",
  clearTrunkOutboundAuth: "trunks:write",
  rotateWebhookSecret: "webhooks:write",
  listWebhooks: "webhooks:read",
} as const satisfies Record<OperationName, string>;

/** The development tokens. They are not secret. Use them to test what a program does without a right. */
export const tokens = {
  full: "vp_dev_full",
  secondFull: "vp_dev_second_full",
  withoutRetention: "vp_dev_without_retention",
  withoutNetworking: "vp_dev_without_networking",
  withoutTrunksWrite: "vp_dev_without_trunks_write",
  withoutWebhooksWrite: "vp_dev_without_webhooks_write",
  withoutWebhooksRead: "vp_dev_without_webhooks_read",
} as const;
/**
 * The name of a development token. `full` and `secondFull` have every right, each with its own rate limits. Every other
 * token lacks the right in its name.
 *
 * @category Starting
 * @useDeclaredType
 */
export type TokenName = keyof typeof tokens;

/** The right that each token lacks, or null. */
export const lacks: Record<TokenName, (typeof requiredRight)[OperationName] | null> = {
  full: null,
  secondFull: null,
  withoutRetention: "retention",
  withoutNetworking: "networking",
  withoutTrunksWrite: "trunks:write",
  withoutWebhooksWrite: "webhooks:write",
  withoutWebhooksRead: "webhooks:read",
};

export const tokenNames = Object.keys(tokens) as TokenName[];

export function identify(authorization: string | undefined): TokenName | undefined {
  const token = bearerToken(authorization);
  return tokenNames.find((name) => tokens[name] === token);
}

/** Replaces the development tokens and the request's own token in `text`. */
export function withoutTokens(text: string, authorization: string | undefined): string {
  const own = bearerToken(authorization);
  // Longest first, because one token can be a prefix of another.
  const known: string[] = [...Object.values(tokens), ...(own === undefined ? [] : [own])];
  return known.sort((a, b) => b.length - a.length).reduce((rest, token) => rest.replaceAll(token, "[token]"), text);
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

const loopbackRanges = ["127.0.0.0/8", "::1"].flatMap((text) => parseAddressOrCidr(text) ?? []);

/** IPv6 sockets write IPv4 addresses as `::ffff:127.0.0.1`. */
export function isLoopback(address: string): boolean {
  const range = parseAddressOrCidr(address);
  return range !== undefined && loopbackRanges.some((loopback) => contains(loopback, range));
}

/** Whether the name or address `host` always means this machine. */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || isLoopback(host);
}

/**
 * Refuses a caller whose address is in an active deny policy, or in none of the active allow policies.
 *
 * @param peer the address of the socket; forwarding headers are ignored
 */
export function refuseByNetwork(
  { callerAddress }: Organization,
  policies: readonly NetworkPolicyRecord[],
  peer: string,
): Failure | undefined {
  if (callerAddress === null) return undefined;
  const caller = parseAddressOrCidr(isLoopback(peer) ? callerAddress : peer);
  const containsCaller = ({ source_cidr }: NetworkPolicyRecord): boolean => {
    const range = parseCidr(source_cidr);
    return range !== undefined && caller !== undefined && contains(range, caller);
  };
  const active = policies.filter(({ status }) => status === "active");
  const those = (action: "allow" | "deny") => active.filter((policy) => policy.action === action);
  const isAllowed = those("allow").length === 0 || those("allow").some(containsCaller);
  if (isAllowed && !those("deny").some(containsCaller)) return undefined;
  return failure("FORBIDDEN", "request source is blocked by organization network policy");
}

export function refuseByRight(token: TokenName, operation: OperationName): Failure | undefined {
  const right = requiredRight[operation];
  if (lacks[token] !== right) return undefined;
  const kind = right.includes(":") ? "credential scope" : "organization permission";
  return failure("FORBIDDEN", `${kind} required: ${right}`);
}

export function refuseByEntitlement(organization: Organization, operation: OperationName): Failure | undefined {
  const { entitlements, retentionPlan } = organization;
  const missing = (capability: string): Failure =>
    failure("FORBIDDEN", `organization capability "${capability}" is not enabled`);
  if (operation === "patchNetworkPolicy" && !entitlements.privateNetworking) return missing("private_networking");
  if (operation !== "putRetentionPolicy") return undefined;
  if (!retentionPlan.available) return failure("SERVICE_UNAVAILABLE", "the plan service is not available");
  return entitlements.retentionPolicies ? undefined : missing("retention_policies");
}
