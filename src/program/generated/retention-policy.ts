// Written from src/resources/retention-policy by `npm run schema`: change it there.
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicEngineProvider, type EngineProvider } from "../engine-provider.js";
import { registration } from "../register.js";
import type { RetentionResource, RetentionSetting, SettingOnCreate, ShorteningStep } from "./types.js";

/** What a {@link RetentionPolicy} declares. @category Retention */
export interface RetentionPolicyArgs {
  /** The kind of data. A policy keeps its kind. Must be one of "recordings", "conversations", "audit_events". */
  resource: Input<RetentionResource>;
  /**
   * How many days this kind of data is kept. Fewer days delete data for good, so the preview refuses them unless
   * `allowShortening` names the step. The first update may delete data too. Must be a whole number of days from 1 to
   * 3650.
   */
  retentionDays: Input<number>;
  /** Whether the policy is in force. Default: `true`. */
  enabled?: Input<boolean> | undefined;
  /**
   * What destroy sends. `"retain"`: nothing. `"disable"`: the same days with `enabled: false`. An object: its values;
   * fewer days need `allowShortening`. Default: `"retain"`. Must be "retain", "disable" or { retentionDays: 1 to 3650,
   * enabled: true or false }.
   */
  onDelete?: Input<"retain" | "disable" | RetentionSetting> | undefined;
  /**
   * The only steps to fewer days that are allowed. Each deletes data for good. Default: none. Must be { from, to } in
   * days: exactly the step to allow, or a list of such steps.
   */
  allowShortening?: Input<ShorteningStep | Input<ShorteningStep>[]> | undefined;
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
 * How long the organization keeps one kind of data.
 *
 * - create: `PUT /v1/retention-policies/{resource}`, which may delete data: it replaces a setting that cannot be read.
 *   Nothing with `onCreate: "adopt"`.
 * - update: the same PUT, if `retentionDays` or `enabled` changed, `reassertAfter` is due, or the last answer was lost.
 * - read: nothing: the setting cannot be read.
 * - delete: nothing for `onDelete: "retain"`, the default; the PUT with `enabled: false` for `"disable"`; the PUT with
 *   the given values otherwise.
 *
 * Errors: 402 or 403 if the token may not change retention, the organization has no retention policies, or its plan
 * allows fewer days.
 *
 * @example
 *
 * ```ts
 * import { RetentionPolicy } from "pulumi-voiceplane";
 *
 * new RetentionPolicy("recordings", {
 *   resource: "recordings",
 *   onCreate: "overwrite",
 *   // The first update may delete recordings that are older.
 *   retentionDays: 90,
 *   onDelete: "disable",
 * });
 * ```
 *
 * @category Retention
 */
export class RetentionPolicy extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicEngineProvider;
  /** The kind of data. */
  declare readonly resource: Output<RetentionResource>;
  /** The days as last sent. */
  declare readonly retentionDays: Output<number>;
  /** Whether the policy is in force, as last sent. */
  declare readonly enabled: Output<boolean>;
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
  constructor(name: string, args: RetentionPolicyArgs, opts?: CustomResourceOptions) {
    super(...registration({ type: "RetentionPolicy", engineProvider: new.target.engineProvider, name, args, opts }));
  }
}
