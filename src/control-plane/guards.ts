import { contains, parseAddressOrCidr, parseCidr } from "../cidr.js";
import type { OperationName } from "../contract.js";
import { failure, type Failure } from "./answers.js";
import { isLoopback } from "./loopback.js";
import type { NetworkPolicyRecord, Organization } from "./records.js";
import { mayPerform, requiredRight, type TokenName } from "./tokens.js";

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
