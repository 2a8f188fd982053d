import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { optionsOf, propertiesOf, typeToken, type Declaration } from "./declare.js";

/** Values whose change makes something happen once more; what they say is up to the user. */
export type Triggers = Record<string, Input<string | number | boolean>>;

export interface TrunkOutboundAuthArgs {
  /** The trunk's id, as the platform shows it. Another id is another object. */
  trunkId: Input<string>;
  /**
   * true: this trunk has no outbound authentication; what it has is cleared, and calls that need it fail. false: only keeps
   * track of the trunk, whose credentials are set elsewhere. Required: nobody cuts a trunk off by leaving something out.
   */
  cleared: Input<boolean>;
  /** With cleared: true, any change clears once more. */
  triggers?: Input<Triggers> | undefined;
  /** What destroy does. "retain": nothing. "clear": clears the authentication; a trunk that is gone is fine. Default: "retain". */
  onDelete?: Input<"retain" | "clear"> | undefined;
  /** With cleared: true, clears again at the first update after each such time, e.g. "7d", which is how drift heals. Default: never. */
  reassertAfter?: Input<string> | undefined;
}

const declaration: Declaration = {
  type: "TrunkOutboundAuth",
  kind: "trunk-outbound-auth",
  identity: "trunkId",
  outputs: ["account"],
};

/**
 * Whether a SIP trunk has outbound authentication. The interface can clear it, and nothing else.
 *
 * - create: `DELETE /v1/trunks/{trunk_id}/outbound-auth` where cleared is true, else nothing.
 * - update: the same DELETE where cleared becomes true, and with cleared: true where triggers changed, a `reassertAfter` is
 *   due, or the last answer was lost. From true to false nothing is sent: credentials cannot be given back.
 * - read: nothing; the interface has no way to ask.
 * - delete: the DELETE for onDelete "clear"; by default nothing.
 *
 * Errors: 403 where the token has not the scope trunks:write; 404 for a trunk that does not exist.
 */
export class TrunkOutboundAuth extends CustomResource {
  declare readonly trunkId: Output<string>;
  declare readonly cleared: Output<boolean>;
  /** The organization: the provider's label, voiceplane:account, or the base URL's origin. */
  declare readonly account: Output<string>;

  constructor(name: string, args: TrunkOutboundAuthArgs, opts?: CustomResourceOptions) {
    const retains = args.onDelete === undefined || args.onDelete === "retain";
    super(
      typeToken(declaration),
      name,
      propertiesOf(declaration, name, args, opts),
      optionsOf(declaration, opts, retains),
    );
  }
}
