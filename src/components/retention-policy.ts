import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import type { RetentionResource } from "../interface.js";
import { optionsOf, propertiesOf, typeToken, type Declaration } from "./declare.js";

/** One step by which retention may be shortened, in days. */
export interface ShorteningStep {
  from: Input<number>;
  to: Input<number>;
}

/** What destroy sets, where it is to set something of its own. */
export interface RetentionSetting {
  /** Days, 1 to 3650. */
  retentionDays: Input<number>;
  enabled: Input<boolean>;
}

export interface RetentionPolicyArgs {
  /** The kind of data: "recordings", "conversations" or "audit_events". Another kind is another object. */
  resource: Input<RetentionResource>;
  /**
   * How long it is kept: a whole number of days from 1 to 3650. Fewer than before deletes data for good, and is refused at
   * preview unless `allowShortening` names the step.
   */
  retentionDays: Input<number>;
  /** Whether the policy is in force. What a server does with data while it is not is its own affair. Default: true. */
  enabled?: Input<boolean> | undefined;
  /**
   * What destroy does. "retain": nothing, the policy stays as last set. "disable": sets enabled to false. A setting: sets
   * that, with the same rule for fewer days. Default: "retain".
   */
  onDelete?: Input<"retain" | "disable" | RetentionSetting> | undefined;
  /** Exactly the step (or steps) by which days may become fewer: `{ from: 365, to: 90 }`. It licenses no other step. */
  allowShortening?: Input<ShorteningStep | ShorteningStep[]> | undefined;
  /** Sends the policy again at the first update after each such time, e.g. "7d", which is how drift heals. Default: never. */
  reassertAfter?: Input<string> | undefined;
}

const declaration: Declaration = {
  type: "RetentionPolicy",
  kind: "retention-policy",
  identity: "resource",
  outputs: ["account"],
};

/**
 * How long the organization keeps one kind of data.
 *
 * - create: `PUT /v1/retention-policies/{resource}`. It replaces whatever was set before, which the interface cannot tell:
 *   the first PUT may itself delete data.
 * - update: the same PUT, where retentionDays or enabled changed, a `reassertAfter` is due, or the last answer was lost.
 *   Any other change sends nothing.
 * - read: nothing; the interface has no way to ask.
 * - delete: what `onDelete` says; by default nothing.
 *
 * Errors: 402 or 403 where the token has no retention permissions or the organization not the entitlement.
 */
export class RetentionPolicy extends CustomResource {
  declare readonly resource: Output<RetentionResource>;
  declare readonly retentionDays: Output<number>;
  declare readonly enabled: Output<boolean>;
  /** The organization: the provider's label, voiceplane:account, or the base URL's origin. */
  declare readonly account: Output<string>;

  constructor(name: string, args: RetentionPolicyArgs, opts?: CustomResourceOptions) {
    const retains = args.onDelete === undefined || args.onDelete === "retain";
    super(
      typeToken(declaration),
      name,
      propertiesOf(declaration, name, args, opts),
      optionsOf(declaration, opts, retains),
    );
  }
}
