// Written from src/resources/network-policy.ts by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicProvider, type EngineProvider } from "./engine-provider.js";
import { noteDeclared, registration, type ResourceClass } from "./register.js";
import { keepCallersFrame } from "./stack-frames.js";
import type { NetworkPolicyFields } from "./types.js";

/** What a {@link NetworkPolicy} declares. @category Network policies */
export interface NetworkPolicyArgs {
  /**
   * The policy's id, as the platform shows it. It has to exist. Another id is another policy. Has to be the object's
   * id: a string without slashes or spaces around it, and not empty, "." or "..".
   */
  networkPolicyId: Input<string>;
  /**
   * The policy's name. At least one of `name` and `sourceCidr` is required. Default: not managed. Has to be a name that
   * is not empty.
   */
  name?: Input<string> | undefined;
  /**
   * The range that the policy is about, IPv4 or IPv6. Host bits and other spellings of the same range make no
   * difference. At least one of `name` and `sourceCidr` is required. Default: not managed. Risk: a range without the
   * pipeline's own address may lock it out. Has to be a network range such as "203.0.113.0/24" or "2001:db8::/48".
   */
  sourceCidr?: Input<string> | undefined;
  /**
   * What `sourceCidr` has to contain, such as the pipeline's own address; otherwise it is refused at preview. Default:
   * none. Has to be a list of addresses or network ranges such as "203.0.113.7" or "2001:db8::/64".
   */
  mustInclude?: Input<Input<string>[]> | undefined;
  /**
   * What `sourceCidr` must not reach; otherwise it is refused at preview. Default: none. Has to be a list of addresses
   * or network ranges such as "203.0.113.7" or "2001:db8::/64".
   */
  mustExclude?: Input<Input<string>[]> | undefined;
  /**
   * What happens when the policy is removed or the stack destroyed. `"retain"`: nothing is sent, the policy stays as
   * last set. Fields: sets those. Default: `"retain"`. Risk: another range may lock the pipeline out. Has to be
   * "retain" or { name, sourceCidr } with at least one of the two, valid as in the policy itself.
   */
  onDelete?: Input<"retain" | NetworkPolicyFields> | undefined;
  /**
   * Sends the setting again at the first update after each such time, which undoes what was changed elsewhere. Default:
   * never. Risk: it replaces a setting that nobody can look up. Has to be a number of whole days from "1d" to "9999d",
   * such as "90d".
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * Whether a pipeline may send what `reassertAfter` makes due without a person's approval; otherwise `voiceplane
   * report` calls it a risk. Default: `false`.
   */
  reassertUnattended?: Input<boolean> | undefined;
}

const declaration: ResourceClass = {
  type: "NetworkPolicy",
  path: "network-policy",
  identity: "networkPolicyId",
  hasOnDelete: true,
};

/**
 * The name and source range of a network policy that exists already.
 *
 * - create: `PATCH /v1/network-policies/{network_policy_id}` with every declared field; it adopts the policy.
 * - update: the same PATCH, where a declared field changed, a `reassertAfter` is due, or the last answer was lost. A
 *   field that is no longer declared is no longer managed, and nothing is sent for it.
 * - read: nothing; the interface has no way to ask.
 * - delete: nothing for `onDelete: "retain"`, the default; the PATCH with its fields otherwise.
 *
 * Errors: 403 where the token has no networking permissions or the organization not the entitlement; some servers
 * answer 500 for an id that does not exist.
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
  static readonly engineProvider: EngineProvider = dynamicProvider;
  /** The policy's id. */
  declare readonly networkPolicyId: Output<string>;
  /** The policy's name as last sent; not set where it is not managed. */
  declare readonly name: Output<string | undefined>;
  /** The range as last sent, in its canonical spelling; not set where it is not managed. */
  declare readonly sourceCidr: Output<string | undefined>;
  /** The organization: the provider's label, `voiceplane:account`, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: NetworkPolicyArgs, opts?: CustomResourceOptions) {
    const declared = { ...declaration, engineProvider: new.target.engineProvider, name, args, opts };
    const registered = registration(declared);
    const restoreFrames = keepCallersFrame(opts);
    try {
      super(...registered);
    } catch (error) {
      restoreFrames(error);
      throw error;
    }
    restoreFrames();
    noteDeclared(declared, this);
  }
}
