import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { optionsOf, propertiesOf, typeToken, type Declaration } from "./declare.js";

/** What destroy sets, where it is to set something: at least one of the two. */
export interface NetworkPolicyFields {
  name?: Input<string> | undefined;
  /** A network range in CIDR notation. */
  sourceCidr?: Input<string> | undefined;
}

export interface NetworkPolicyArgs {
  /** The policy's id, as the platform shows it. The policy has to exist; another id is another object. */
  networkPolicyId: Input<string>;
  /** The policy's name. Not declared: not managed. At least one of name and sourceCidr is required. */
  name?: Input<string> | undefined;
  /**
   * The range that the policy is about, IPv4 or IPv6, e.g. "203.0.113.0/24". Host bits and other spellings of the same
   * range make no difference. Not declared: not managed.
   */
  sourceCidr?: Input<string> | undefined;
  /** Addresses or ranges that sourceCidr has to contain, such as the pipeline's own; else it is refused at preview. */
  mustInclude?: Input<Input<string>[]> | undefined;
  /** Addresses or ranges that sourceCidr must not reach; else it is refused at preview. */
  mustExclude?: Input<Input<string>[]> | undefined;
  /** What destroy does. "retain": nothing, the policy stays as last set. Fields: sets those. Default: "retain". */
  onDelete?: Input<"retain" | NetworkPolicyFields> | undefined;
  /** Sends the policy again at the first update after each such time, e.g. "7d", which is how drift heals. Default: never. */
  reassertAfter?: Input<string> | undefined;
}

const declaration: Declaration = {
  type: "NetworkPolicy",
  kind: "network-policy",
  identity: "networkPolicyId",
  outputs: ["account"],
};

/**
 * The name and source range of a network policy that exists already.
 *
 * - create: `PATCH /v1/network-policies/{network_policy_id}` with every declared field; it adopts the policy.
 * - update: the same PATCH, where a declared field changed, a `reassertAfter` is due, or the last answer was lost. A field
 *   that is no longer declared is no longer managed, and nothing is sent for it.
 * - read: nothing; the interface has no way to ask.
 * - delete: what `onDelete` says; by default nothing.
 *
 * Errors: 403 where the token has no networking permissions or the organization not the entitlement; some servers answer
 * 500 for an id that does not exist.
 */
export class NetworkPolicy extends CustomResource {
  declare readonly networkPolicyId: Output<string>;
  declare readonly name: Output<string | undefined>;
  /** In its canonical spelling once applied. */
  declare readonly sourceCidr: Output<string | undefined>;
  /** The organization: the provider's label, voiceplane:account, or the base URL's origin. */
  declare readonly account: Output<string>;

  constructor(name: string, args: NetworkPolicyArgs, opts?: CustomResourceOptions) {
    const retains = args.onDelete === undefined || args.onDelete === "retain";
    super(
      typeToken(declaration),
      name,
      propertiesOf(declaration, name, args, opts),
      optionsOf(declaration, opts, retains),
    );
  }
}
