import { contains, parseAddressOrCidr, parseCidr } from "../contract/cidr.js";
import type { OperationName } from "../contract/index.js";
import { failure, type Failure } from "./answers.js";
import type { NetworkPolicyRecord, Organization } from "./records.js";

/** The right that an operation needs: a scope if the interface names one, else a permission. */
export type Right = "retention" | "networking" | "trunks:write" | "webhooks:write" | "webhooks:read";

export const requiredRight: Record<OperationName, Right> = {
  putRetentionPolicy: "retention",
  patchNetworkPolicy: "networking",
  clearTrunkOutboundAuth: "trunks:write",
  rotateWebhookSecret: "webhooks:write",
  listWebhooks: "webhooks:read",
};

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
export const lacks: Record<TokenName, Right | null> = {
  full: null,
  secondFull: null,
  withoutRetention: "retention",
  withoutNetworking: "networking",
  withoutTrunksWrite: "trunks:write",
  withoutWebhooksWrite: "webhooks:write",
  withoutWebhooksRead: "webhooks:read",
};

export const tokenNames = Object.keys(tokens) as TokenName[];

/** The name of the token in an Authorization header, or undefined if it is missing or unknown. */
export function identify(authorization: string | undefined): TokenName | undefined {
  const token = bearerToken(authorization);
  return tokenNames.find((name) => tokens[name] === token);
}

export function mayPerform(token: TokenName, operation: OperationName): boolean {
  return lacks[token] !== requiredRight[operation];
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

/** Whether `address` is a loopback address. IPv6 sockets write IPv4 addresses as `::ffff:127.0.0.1`. */
export function isLoopback(address: string): boolean {
  const range = parseAddressOrCidr(address.replace(/^::ffff:/i, ""));
  return range !== undefined && loopbackRanges.some((loopback) => contains(loopback, range));
}

/**
 * Refuses a caller whose address is in an active deny policy, or in none of the active allow policies.
 *
 * @param peer the address of the socket; forwarding headers are ignored
 */
export function refuseByNetwork(
  organization: Organization,
  policies: readonly NetworkPolicyRecord[],
  peer: string,
): Failure | undefined {
  if (organization.callerAddress === null) return undefined;
  const caller = parseAddressOrCidr(isLoopback(peer) ? organization.callerAddress : peer.replace(/^::ffff:/i, ""));
  const active = policies.filter((policy) => policy.status === "active");
  const allowing = active.filter((policy) => policy.action === "allow");
  const containsCaller = (policy: NetworkPolicyRecord): boolean => {
    const range = parseCidr(policy.source_cidr);
    return range !== undefined && caller !== undefined && contains(range, caller);
  };

  const denied = active.some((policy) => policy.action === "deny" && containsCaller(policy));
  const notAllowed = allowing.length > 0 && !allowing.some(containsCaller);
  if (!denied && !notAllowed) return undefined;
  return failure("FORBIDDEN", "request source is blocked by organization network policy");
}

export function refuseByRight(token: TokenName, operation: OperationName): Failure | undefined {
  if (mayPerform(token, operation)) return undefined;
  const right = requiredRight[operation];
  // The interface has scopes for trunks and webhooks only. Retention and networking are permissions.
  const message = right.includes(":")
    ? `credential scope required: ${right}`
    : `organization permission required: ${right}`;
  return failure("FORBIDDEN", message);
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
