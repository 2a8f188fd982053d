// Written from src/resources by `npm run schema`: change it there.
import type { Input } from "@pulumi/pulumi/output";

export type { RetentionResource } from "../contract/index.js";

/** The policy that destroy sets. @category Retention */
export interface RetentionSetting {
  /**
   * How long this kind of data is kept. Fewer days delete data for good. Has to be a whole number of days from 1 to
   * 3650.
   */
  retentionDays: Input<number>;
  /** Whether the policy is in force. Required. */
  enabled: Input<boolean>;
}

/** One step by which retention may be shortened. @category Retention */
export interface ShorteningStep {
  /** Days as declared until now. Has to be a whole number of days from 1 to 3650. */
  from: Input<number>;
  /** Days as declared from now on. Has to be a whole number of days from 1 to 3650. */
  to: Input<number>;
}

/** The fields that destroy sets: at least one of the two. @category Network policies */
export interface NetworkPolicyFields {
  /** The policy's name. Default: stays as it is. Has to be a name that is not empty. */
  name?: Input<string> | undefined;
  /**
   * The policy's range, checked against `mustInclude` and `mustExclude` as well. Default: stays as it is. Has to be a
   * network range such as "203.0.113.0/24" or "2001:db8::/48".
   */
  sourceCidr?: Input<string> | undefined;
}

/** Values of your choice, such as `{ quarter: "2026-Q4" }`. A change repeats the operation. @category Common */
export type Triggers = Record<string, Input<string | number | boolean>>;

/**
 * How much is known of the current secret:
 *
 * - `rotated`: `secret` is from the answer to the last rotation.
 * - `adopted`: not rotated by this resource yet; `secret` is the `initialSecret`, if one was given.
 * - `unread`: rotated, but no secret was found in the answer; the answer is in `data`.
 * - `uncertain`: the answer to a rotation was lost; `secret` is the last known one and may no longer work. The next
 *   update rotates once more.
 *
 * @category Webhooks
 */
export type RotationState = "rotated" | "adopted" | "unread" | "uncertain";
