// Written from src/resources/retention-policy.ts by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicProvider, type EngineProvider } from "./engine-provider.js";
import { noteDeclared, registration, type ResourceClass } from "./register.js";
import { keepCallersFrame } from "./stack-frames.js";
import type { RetentionResource, RetentionSetting, ShorteningStep } from "./types.js";

/** What a {@link RetentionPolicy} declares. @category Retention */
export interface RetentionPolicyArgs {
  /**
   * The kind of data. Another kind is another object. Has to be one of "recordings", "conversations", "audit_events".
   */
  resource: Input<RetentionResource>;
  /**
   * How long this kind of data is kept. Risk: fewer days than before delete data for good, and are refused at preview
   * unless `allowShortening` names the step. The first update may delete data too: it replaces a setting that nobody
   * can look up. Has to be a whole number of days from 1 to 3650.
   */
  retentionDays: Input<number>;
  /** Whether the policy is in force. Default: `true`. Risk: what happens to the data without it is up to the server. */
  enabled?: Input<boolean> | undefined;
  /**
   * What happens when the policy is removed or the stack destroyed. `"retain"`: nothing is sent, the policy stays as
   * last set. `"disable"`: the same days with `enabled: false`. A setting: sets that, with the same rule for fewer
   * days. Default: `"retain"`. Risk: fewer days delete data for good. Has to be "retain", "disable" or { retentionDays:
   * 1 to 3650, enabled: true or false }.
   */
  onDelete?: Input<"retain" | "disable" | RetentionSetting> | undefined;
  /**
   * Allows days to become fewer by exactly this step, and no other. Default: none. Risk: the step deletes data for
   * good. Has to be { from, to } in days: exactly the step to allow, or a list of such steps.
   */
  allowShortening?: Input<ShorteningStep | Input<ShorteningStep>[]> | undefined;
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
  type: "RetentionPolicy",
  path: "retention-policy",
  identity: "resource",
  hasOnDelete: true,
};

/**
 * How long the organization keeps one kind of data.
 *
 * - create: `PUT /v1/retention-policies/{resource}`. It replaces the previous setting, which cannot be looked up: the
 *   first PUT may itself delete data.
 * - update: the same PUT, where `retentionDays` or `enabled` changed, a `reassertAfter` is due, or the last answer was
 *   lost. Any other change sends nothing.
 * - read: nothing; the interface has no way to ask.
 * - delete: nothing for `onDelete: "retain"`, the default; the PUT with `enabled: false` for `"disable"`; the PUT with
 *   its values otherwise.
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
  static readonly engineProvider: EngineProvider = dynamicProvider;
  /** The kind of data. */
  declare readonly resource: Output<RetentionResource>;
  /** Days, as last sent. */
  declare readonly retentionDays: Output<number>;
  /** Whether the policy is in force, as last sent. */
  declare readonly enabled: Output<boolean>;
  /** The organization: the provider's label, `voiceplane:account`, or the base URL, its path included. */
  declare readonly account: Output<string>;

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless `opts.aliases` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. `provider`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: RetentionPolicyArgs, opts?: CustomResourceOptions) {
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
