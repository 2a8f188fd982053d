// Written from src/resources/network-policy by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicEngineProvider, type EngineProvider } from "../engine-provider.js";
import { registration } from "../register.js";
import type { NetworkPolicyFields, SettingOnCreate } from "./types.js";

/** What a {@link NetworkPolicy} declares. @category Network policies */
export interface NetworkPolicyArgs {
  /**
   * The id of an existing policy, as the platform shows it. A change replaces the resource. Must be a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  networkPolicyId: Input<string>;
  /**
   * The policy's name. Declare `name`, `sourceCidr` or both. Default: not managed. Must be a name that is not empty.
   */
  name?: Input<string> | undefined;
  /**
   * The policy's source range, IPv4 or IPv6. A range without the pipeline's own address may lock the pipeline out.
   * Default: not managed. Must be a network range such as "203.0.113.0/24" or "2001:db8::/48".
   */
  sourceCidr?: Input<string> | undefined;
  /**
   * Addresses that `sourceCidr` must contain, such as the pipeline's own. Default: none. Must be a list of addresses or
   * network ranges such as "203.0.113.7" or "2001:db8::/64".
   */
  mustInclude?: Input<Input<string>[]> | undefined;
  /**
   * Addresses that `sourceCidr` must not contain. Default: none. Must be a list of addresses or network ranges such as
   * "203.0.113.7" or "2001:db8::/64".
   */
  mustExclude?: Input<Input<string>[]> | undefined;
  /**
   * What destroy sends. `"retain"`: nothing. An object: its fields, for whose range `mustInclude` and `mustExclude`
   * count too. Default: `"retain"`. Must be "retain" or { name, sourceCidr } with at least one of the two, valid as in
   * the policy itself.
   */
  onDelete?: Input<"retain" | NetworkPolicyFields> | undefined;
  /**
   * What the first update sends. No default, so that a missing argument cannot replace what is in use. Must be
   * "overwrite" (the first update sends the setting, which replaces what the server has) or "adopt" (it sends nothing,
   * because the server has the declared values).
   */
  onCreate: Input<SettingOnCreate>;
  /**
   * Sends the setting again at the first update after this time, and so replaces changes made elsewhere. Default:
   * never. Must be text such as "90d", from "1d" to "9999d".
   */
  reassertAfter?: Input<string> | undefined;
}

/**
 * The name and source range of an existing network policy.
 *
 * - create: `PATCH /v1/network-policies/{network_policy_id}` with every declared field. Nothing with `onCreate:
 *   "adopt"`.
 * - update: the same PATCH, if a declared field changed, `reassertAfter` is due, or the last answer was lost. A field
 *   that is no longer declared stays as it is.
 * - read: nothing: the policy cannot be read.
 * - delete: nothing for `onDelete: "retain"`, the default; the PATCH with the given fields otherwise.
 *
 * Errors: 403 if the token may not change networking, the organization has no private networking, or its network policy
 * does not admit this machine. A 500 may mean an unknown id: correct the id, or remove the resource.
 *
 * @example
 *
 * ```ts
 * import { NetworkPolicy } from "pulumi-voiceplane";
 *
 * new NetworkPolicy("office", {
 *   networkPolicyId: "a0000000-0000-4000-8000-000000000001",
 *   onCreate: "overwrite",
 *   name: "Office",
 *   sourceCidr: "203.0.113.0/24",
 *   // The pipeline's address.
 *   mustInclude: ["203.0.113.7"],
 * });
 * ```
 *
 * @category Network policies
 */
export class NetworkPolicy extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicEngineProvider;
  /** The policy's id. */
  declare readonly networkPolicyId: Output<string>;
  /** The policy's name as last sent. Not set if it is not managed. */
  declare readonly name: Output<string | undefined>;
  /** The range as last sent, in canonical form. Not set if it is not managed. */
  declare readonly sourceCidr: Output<string | undefined>;
  /** `false` while the values are adopted and no request has sent any. Not set otherwise. */
  declare readonly confirmed: Output<boolean | undefined>;
  /** The id of the last request. Adopted values have an id of their own. */
  declare readonly requestId: Output<string | undefined>;
  /** The organization: the provider's name, or `voiceplane:organization`. */
  declare readonly organization: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: NetworkPolicyArgs, opts?: CustomResourceOptions) {
    super(...registration({ type: "NetworkPolicy", engineProvider: new.target.engineProvider, name, args, opts }));
  }
}
