import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicDoor, type Door } from "./door.js";
import { noteDeclared, registration, type Declaration } from "./register.js";

/** Values of the user's choice, such as `{ quarter: "2026-Q4" }`. A change repeats the operation. @category Common */
export type Triggers = Record<string, Input<string | number | boolean>>;

/** What a {@link TrunkOutboundAuth} declares. `reassertAfter` counts with `cleared: true` only. @category Trunks */
export interface TrunkOutboundAuthArgs extends ReassertionArgs {
  /** The trunk's id, as the platform shows it. Another id is another object. */
  trunkId: Input<string>;
  /**
   * `true`: this trunk has no outbound authentication; what it has is cleared, and calls that need it fail. `false`: only
   * keeps track of the trunk, whose credentials are set elsewhere. Required, so that an omission never clears a trunk.
   */
  cleared: Input<boolean>;
  /** With `cleared: true`, any change clears once more. Default: none. */
  triggers?: Input<Triggers> | undefined;
  /** What destroy does. `"retain"`: nothing. `"clear"`: clears the authentication; a trunk that is gone is fine. Default: `"retain"`. */
  onDelete?: Input<"retain" | "clear"> | undefined;
}

/** Arguments of the settings that can be sent again when a date comes. */
export interface ReassertionArgs {
  /**
   * Sends the setting again at the first update after each such time, which corrects drift: whole days from `"1d"` to
   * `"9999d"`. Default: never.
   */
  reassertAfter?: Input<string> | undefined;
  /**
   * Whether a pipeline may send what `reassertAfter` makes due without a person's approval. It replaces what was set
   * elsewhere since, which cannot be looked up, so `voiceplane report` calls it a risk unless this is true. Default: `false`.
   */
  reassertUnattended?: Input<boolean> | undefined;
}

const declaration: Declaration = {
  type: "TrunkOutboundAuth",
  kind: "trunk-outbound-auth",
  identity: "trunkId",
  hasOnDelete: true,
};

/**
 * Whether a SIP trunk has outbound authentication. The interface can clear it, and nothing else.
 *
 * - create: `DELETE /v1/trunks/{trunk_id}/outbound-auth` where `cleared` is true, else nothing.
 * - update: the same DELETE where `cleared` becomes true, and with `cleared: true` where `triggers` changed, a
 *   `reassertAfter` is due, or the last answer was lost. From true to false nothing is sent: credentials cannot be given
 *   back.
 * - read: nothing; the interface has no way to ask.
 * - delete: the DELETE for `onDelete: "clear"`; by default nothing.
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
  static readonly door: Door = dynamicDoor;
  /** The trunk's id. */
  declare readonly trunkId: Output<string>;
  /** Whether the authentication was cleared, as last declared. */
  declare readonly cleared: Output<boolean>;
  /** The organization: the provider's label, voiceplane:account, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: TrunkOutboundAuthArgs, opts?: CustomResourceOptions) {
    super(...registration(new.target.door, declaration, name, args, opts));
    noteDeclared(new.target.door, this, declaration, args, opts);
  }
}
