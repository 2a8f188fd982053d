import { contains, parseAddressOrCidr, parseCidr } from "../cidr.js";
import type { OperationName } from "../contract.js";
import { failure, type Failure } from "./answers.js";
import type { NetworkPolicyRecord, Organization } from "./records.js";

/** What a token must hold for an operation: scopes where the interface names one, else the kind of permission. */
export type Right = "retention" | "networking" | "trunks:write" | "webhooks:write" | "webhooks:read";

export const requiredRight: Record<OperationName, Right> = {
  putRetentionPolicy: "retention",
  patchNetworkPolicy: "networking",
  clearTrunkOutboundAuth: "trunks:write",
  rotateWebhookSecret: "webhooks:write",
  listWebhooks: "webhooks:read",
};

/**
 * The development tokens. They are the same everywhere and printed on start, so they are not secret: use them to test what
 * a program does with too few rights.
 */
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
 * What a development token is for: `full` and `secondFull` (another credential, with rate limits of its own) lack nothing,
 * each other one lacks the right that it names.
 *
 * @category Starting
 * @useDeclaredType
 */
export type TokenName = keyof typeof tokens;

/** What each token lacks; null where it lacks nothing. */
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

/** Whose token an Authorization header carries; undefined for none and for an unknown one. */
export function identify(authorization: string | undefined): TokenName | undefined {
  const token = bearerToken(authorization);
  return tokenNames.find((name) => tokens[name] === token);
}

export function mayPerform(token: TokenName, operation: OperationName): boolean {
  return lacks[token] !== requiredRight[operation];
}

/** `text` without any token: those we know, and the one that came with the request. */
export function withoutTokens(text: string, authorization: string | undefined): string {
  const own = bearerToken(authorization);
  // Longest first, so that no token leaves the tail of another behind.
  const known: string[] = [...Object.values(tokens), ...(own === undefined ? [] : [own])];
  return known.sort((a, b) => b.length - a.length).reduce((rest, token) => rest.replaceAll(token, "[token]"), text);
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

const own = ["127.0.0.0/8", "::1"].flatMap((text) => parseAddressOrCidr(text) ?? []);

/** The machine's own addresses, also as IPv6 sockets spell IPv4. */
export function isLoopback(address: string): boolean {
  const range = parseAddressOrCidr(address.replace(/^::ffff:/i, ""));
  return range !== undefined && own.some((loopback) => contains(loopback, range));
}

/**
 * The organization's network policies, which guard the control plane itself: an active deny policy that holds the caller
 * refuses it, and so do active allow policies of which none does.
 *
 * @param peer the socket's address; forwarding headers are not believed
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
  const holdsCaller = (policy: NetworkPolicyRecord): boolean => {
    const range = parseCidr(policy.source_cidr);
    return range !== undefined && caller !== undefined && contains(range, caller);
  };

  const denied = active.some((policy) => policy.action === "deny" && holdsCaller(policy));
  const leftOut = allowing.length > 0 && !allowing.some(holdsCaller);
  if (!denied && !leftOut) return undefined;
  return failure("FORBIDDEN", "request source is blocked by organization network policy");
}

export function refuseByRight(token: TokenName, operation: OperationName): Failure | undefined {
  if (mayPerform(token, operation)) return undefined;
  const right = requiredRight[operation];
  // The interface names scopes for trunks and webhooks only; retention and networking are permissions.
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
