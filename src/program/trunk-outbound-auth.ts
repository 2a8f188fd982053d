// Written from src/resources/trunk-outbound-auth.ts by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicProvider, type EngineProvider } from "./engine-provider.js";
import { noteDeclared, registration, type ResourceClass } from "./register.js";
import { keepCallersFrame } from "./stack-frames.js";
import type { Triggers } from "./types.js";

/** What a {@link TrunkOutboundAuth} declares. @category Trunks */
export interface TrunkOutboundAuthArgs {
  /**
   * The trunk's id, as the platform shows it. Another id is another trunk. Has to be the object's id: a string without
   * slashes or spaces around it, and not empty, "." or "..".
   */
  trunkId: Input<string>;
  /**
   * `true`: this trunk has no outbound authentication; what it has is cleared, and calls that need it fail. `false`:
   * only keeps track of the trunk, whose credentials are set elsewhere; `triggers` and `reassertAfter` then have no
   * effect. Required, so that an omission never clears a trunk. Risk: clearing it cannot be undone here.
   */
  cleared: Input<boolean>;
  /**
   * Values of your choice: where the authentication is cleared, any change clears it once more. Default: none. Has to
   * be a map of strings, numbers or booleans, such as { quarter: "2026-Q4" }.
   */
  triggers?: Input<Triggers> | undefined;
  /**
   * What happens when the trunk is removed or the stack destroyed. `"retain"`: nothing is sent. `"clear"`: clears the
   * authentication; a trunk that is gone is fine. Default: `"retain"`. Risk: `"clear"` removes the trunk's credentials.
   * Has to be "retain" or "clear".
   */
  onDelete?: Input<"retain" | "clear"> | undefined;
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
  type: "TrunkOutboundAuth",
  path: "trunk-outbound-auth",
  identity: "trunkId",
  hasOnDelete: true,
};

/**
 * Whether a SIP trunk has outbound authentication. The interface can clear it, and nothing else.
 *
 * - create: `DELETE /v1/trunks/{trunk_id}/outbound-auth` where `cleared` is true, else nothing.
 * - update: the same DELETE where `cleared` becomes true, and with `cleared: true` where `triggers` changed, a
 *   `reassertAfter` is due, or the last answer was lost. From true to false nothing is sent: credentials cannot be
 *   given back.
 * - read: nothing; the interface has no way to ask.
 * - delete: nothing for `onDelete: "retain"`, the default; the DELETE for `"clear"`, where a 404 counts as success.
 *
 * Errors: 403 where the token lacks the scope `trunks:write`; 404 for a trunk that does not exist.
 *
 * @example
 *
 * ```ts
 * import { TrunkOutboundAuth } from "pulumi-voiceplane";
 *
 * new TrunkOutboundAuth("carrier-a", { trunkId: "b0000000-0000-4000-8000-000000000001", cleared: true });
 * ```
 *
 * @category Trunks
 */
export class TrunkOutboundAuth extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicProvider;
  /** The trunk's id. */
  declare readonly trunkId: Output<string>;
  /** Whether the authentication was cleared, as last declared. */
  declare readonly cleared: Output<boolean>;
  /** The organization: the provider's label, `voiceplane:account`, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: TrunkOutboundAuthArgs, opts?: CustomResourceOptions) {
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
