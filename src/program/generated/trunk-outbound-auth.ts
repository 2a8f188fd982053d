// Written from src/resources/trunk-outbound-auth by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicEngineProvider, type EngineProvider } from "../engine-provider.js";
import { registration } from "../register.js";
import type { SettingOnCreate, Triggers } from "./types.js";

/** What a {@link TrunkOutboundAuth} declares. @category Trunks */
export interface TrunkOutboundAuthArgs {
  /**
   * The id of an existing trunk, as the platform shows it. A change replaces the resource. Must be a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  trunkId: Input<string>;
  /**
   * `true`: the trunk's credentials are cleared, and cannot be restored. `false`: the trunk is only tracked, without a
   * request. No default, so that a missing argument cannot clear a trunk.
   */
  cleared: Input<boolean>;
  /**
   * Values of your choice. With `cleared: true`, any change clears the credentials again. Default: none. Must be a map
   * of strings, whole numbers or booleans, such as { quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * What destroy sends. `"retain"`: nothing. `"clear"`: clears the credentials, for good. Default: `"retain"`. Must be
   * "retain" or "clear".
   */
  onDelete?: Input<"retain" | "clear"> | undefined;
  /**
   * What the first update sends. Default: `"overwrite"`. Must be "overwrite" (the first update sends the setting, which
   * replaces what the server has) or "adopt" (it sends nothing, because the server has the declared values).
   */
  onCreate?: Input<SettingOnCreate> | undefined;
  /**
   * Sends the setting again at the first update after this time, and so replaces changes made elsewhere. Default:
   * never. Must be text such as "90d", from "1d" to "9999d".
   */
  reassertAfter?: Input<string> | undefined;
}

/**
 * Clears the outbound credentials of a SIP trunk. The interface cannot set them: cleared credentials cannot be
 * restored.
 *
 * - create: `DELETE /v1/trunks/{trunk_id}/outbound-auth` for `cleared: true`, otherwise nothing. Nothing with
 *   `onCreate: "adopt"`.
 * - update: the same DELETE, if `cleared` becomes true, or with `cleared: true` if `triggers` changed, `reassertAfter`
 *   is due, or the last answer was lost.
 * - read: nothing: the trunk cannot be read.
 * - delete: nothing for `onDelete: "retain"`, the default; the DELETE for `"clear"`. A 404 is then a success.
 *
 * Errors: 403 if the token lacks the scope `trunks:write`; 404 for a trunk that does not exist.
 *
 * @example
 *
 * ```ts
 * import { TrunkOutboundAuth } from "pulumi-voiceplane";
 *
 * new TrunkOutboundAuth("carrier-a", {
 *   trunkId: "b0000000-0000-4000-8000-000000000001",
 *   // Clears the trunk's credentials, which cannot be restored.
 *   cleared: true,
 * });
 * ```
 *
 * @category Trunks
 */
export class TrunkOutboundAuth extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicEngineProvider;
  /** The trunk's id. */
  declare readonly trunkId: Output<string>;
  /** Whether the credentials were cleared, as last declared. */
  declare readonly cleared: Output<boolean>;
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
  constructor(name: string, args: TrunkOutboundAuthArgs, opts?: CustomResourceOptions) {
    super(...registration({ type: "TrunkOutboundAuth", engineProvider: new.target.engineProvider, name, args, opts }));
  }
}
