import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicDoor, type Door } from "./door.js";
import { noteDeclared, registration, type Declaration } from "./register.js";
import type { ReassertionArgs } from "./trunk-outbound-auth.js";

/** The fields that destroy sets: at least one of the two. @category Network policies */
export interface NetworkPolicyFields {
  /** A name that is not empty. Default: stays as it is. */
  name?: Input<string> | undefined;
  /** A network range in CIDR notation, checked against `mustInclude` and `mustExclude` as well. Default: stays as it is. */
  sourceCidr?: Input<string> | undefined;
}

/** What a {@link NetworkPolicy} declares: at least one of `name` and `sourceCidr`. @category Network policies */
export interface NetworkPolicyArgs extends ReassertionArgs {
  /** The policy's id, as the platform shows it. The policy has to exist; another id is another object. */
  networkPolicyId: Input<string>;
  /** The policy's name. Not declared: not managed. At least one of `name` and `sourceCidr` is required. */
  name?: Input<string> | undefined;
  /**
   * The range that the policy is about, IPv4 or IPv6, such as `"203.0.113.0/24"`. Host bits and other spellings of the
   * same range make no difference. Not declared: not managed.
   */
  sourceCidr?: Input<string> | undefined;
  /** Addresses or ranges that `sourceCidr` has to contain, such as the pipeline's own; else refused at preview. Default: none. */
  mustInclude?: Input<Input<string>[]> | undefined;
  /** Addresses or ranges that `sourceCidr` must not reach; else it is refused at preview. Default: none. */
  mustExclude?: Input<Input<string>[]> | undefined;
  /** What destroy does. `"retain"`: nothing, the policy stays as last set. Fields: sets those. Default: `"retain"`. */
  onDelete?: Input<"retain" | NetworkPolicyFields> | undefined;
}

const declaration: Declaration = {
  type: "NetworkPolicy",
  kind: "network-policy",
  identity: "networkPolicyId",
  hasOnDelete: true,
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
 *
 * @example
 *
 * ```ts
 * import { NetworkPolicy } from "pulumi-voiceplane";
 *
 * new NetworkPolicy("office", {
 *   networkPolicyId: "a0000000-0000-4000-8000-000000000001",
 *   sourceCidr: "203.0.113.0/24",
 *   mustInclude: ["203.0.113.7"], // the pipeline, which would lock itself out
 * });
 * ```
 *
 * @category Network policies
 */
export class NetworkPolicy extends CustomResource {
  /** @internal */
  static readonly door: Door = dynamicDoor;
  /** The policy's id. */
  declare readonly networkPolicyId: Output<string>;
  /** The policy's name as last sent; undefined where it is not managed. */
  declare readonly name: Output<string | undefined>;
  /** The range as last sent, in its canonical spelling; undefined where it is not managed. */
  declare readonly sourceCidr: Output<string | undefined>;
  /** The organization: the provider's label, voiceplane:account, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: NetworkPolicyArgs, opts?: CustomResourceOptions) {
    super(...registration(new.target.door, declaration, name, args, opts));
    noteDeclared(new.target.door, this, declaration, args, opts);
  }
}
