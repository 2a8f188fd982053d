import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import type { RetentionResource } from "../../contract.js";
import { dynamicDoor, type Door } from "./door.js";
import { noteDeclared, registration, type Declaration } from "./register.js";
import type { ReassertionArgs } from "./trunk-outbound-auth.js";

/** One step by which retention may be shortened. @category Retention */
export interface ShorteningStep {
  /** Days as declared until now. */
  from: Input<number>;
  /** Days as declared from now on. */
  to: Input<number>;
}

/** The policy that destroy sets. @category Retention */
export interface RetentionSetting {
  /** A whole number of days from 1 to 3650. */
  retentionDays: Input<number>;
  /** Whether the policy is in force. No default here. */
  enabled: Input<boolean>;
}

/** What a {@link RetentionPolicy} declares. @category Retention */
export interface RetentionPolicyArgs extends ReassertionArgs {
  /** The kind of data: `"recordings"`, `"conversations"` or `"audit_events"`. Another kind is another object. */
  resource: Input<RetentionResource>;
  /**
   * How long it is kept: a whole number of days from 1 to 3650. Fewer than before deletes data for good, and is refused at
   * preview unless `allowShortening` names the step.
   */
  retentionDays: Input<number>;
  /** Whether the policy is in force. What happens to the data while it is not is up to the server. Default: `true`. */
  enabled?: Input<boolean> | undefined;
  /**
   * What destroy does. `"retain"`: nothing, the policy stays as last set. `"disable"`: the same days with `enabled: false`.
   * A setting: sets that, with the same rule for fewer days. Default: `"retain"`.
   */
  onDelete?: Input<"retain" | "disable" | RetentionSetting> | undefined;
  /** Exactly the step (or steps) by which days may become fewer: `{ from: 365, to: 90 }`. It allows no other step. Default: none. */
  allowShortening?: Input<ShorteningStep | ShorteningStep[]> | undefined;
}

const declaration: Declaration = {
  type: "RetentionPolicy",
  kind: "retention-policy",
  identity: "resource",
  hasOnDelete: true,
};

/**
 * How long the organization keeps one kind of data.
 *
 * - create: `PUT /v1/retention-policies/{resource}`. It replaces the previous setting, which cannot be looked up: the first
 *   PUT may itself delete data.
 * - update: the same PUT, where `retentionDays` or `enabled` changed, a `reassertAfter` is due, or the last answer was lost.
 *   Any other change sends nothing.
 * - read: nothing; the interface has no way to ask.
 * - delete: what `onDelete` says; by default nothing.
 *
 * Errors: 402 or 403 where the token has no retention permissions or the organization not the entitlement, or its plan
 * allows fewer days.
 *
 * @example
 *
 * ```ts
 * import { RetentionPolicy } from "pulumi-voiceplane";
 *
 * new RetentionPolicy("recordings", {
 *   resource: "recordings",
 *   retentionDays: 90,
 *   allowShortening: { from: 365, to: 90 }, // recordings older than 90 days go for good
 *   onDelete: "disable",
 * });
 * ```
 *
 * @category Retention
 */
export class RetentionPolicy extends CustomResource {
  /** @internal */
  static readonly door: Door = dynamicDoor;
  /** The kind of data. */
  declare readonly resource: Output<RetentionResource>;
  /** Days, as last sent. */
  declare readonly retentionDays: Output<number>;
  /** Whether the policy is in force, as last sent. */
  declare readonly enabled: Output<boolean>;
  /** The organization: the provider's label, voiceplane:account, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: RetentionPolicyArgs, opts?: CustomResourceOptions) {
    super(...registration(new.target.door, declaration, name, args, opts));
    noteDeclared(new.target.door, this, declaration, args, opts);
  }
}
