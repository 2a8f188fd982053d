// Written from src/resources by `npm run schema`: change it there.
import type { Input } from "@pulumi/pulumi/output";

import type { RetentionResource } from "../../contract/index.js";
export type { RetentionResource };

/** The policy that destroy sets. @category Retention */
export interface RetentionSetting {
  /**
   * How many days this kind of data is kept. Fewer days delete data permanently. Must be a whole number of days from 1
   * to 3650.
   */
  retentionDays: Input<number>;
  /** Whether the policy is in force. */
  enabled: Input<boolean>;
}

/** One step to fewer days. @category Retention */
export interface ShorteningStep {
  /** The days that are declared now. Must be a whole number of days from 1 to 3650. */
  from: Input<number>;
  /** The new days. Must be a whole number of days from 1 to 3650. */
  to: Input<number>;
}

/** What the first update of a setting sends: the setting, or nothing. @category Common */
export type SettingOnCreate = "overwrite" | "adopt";

/** The fields that destroy sets: `name`, `sourceCidr` or both. @category Network policies */
export interface NetworkPolicyFields {
  /** The policy's name. Default: unchanged. Must be a name that is not empty. */
  name?: Input<string> | undefined;
  /**
   * The policy's range. `mustInclude` and `mustExclude` apply to it. Default: unchanged. Must be a network range such
   * as "203.0.113.0/24" or "2001:db8::/48".
   */
  sourceCidr?: Input<string> | undefined;
}

/** Values of your choice, such as `{ quarter: "2026-Q4" }`. Any change repeats the operation. @category Common */
export type Triggers = Record<string, Input<string | number | boolean>>;

/**
 * Whether `secret` is the current secret:
 *
 * - `rotated`: `secret` is from the answer to the last rotation.
 * - `adopted`: this resource has not rotated yet. `secret` is the `initialSecret`, if there is one.
 * - `unread`: rotated, but no secret was found in the answer. The answer is in `data`.
 * - `uncertain`: a rotation may have been carried out. `secret` is the last known one and may no longer work. The next
 *   update rotates again.
 *
 * @category Webhooks
 */
export type RotationState = "rotated" | "adopted" | "unread" | "uncertain";
