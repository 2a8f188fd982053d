/**
 * The control plane's interface, version 1.0.0: five operations, their bodies and limits.
 * What the interface leaves open stays open here: `data` is unknown, an error body has no schema.
 */
import { z } from "zod";
import { retentionDaysLimits } from "./interface.js";

export * from "./interface.js";

export const retentionPolicyBody = z.object({
  /** A whole number of days from 1 to 3650. */
  retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
  /** Whether the policy is in force. */
  enabled: z.boolean(),
});
export type RetentionPolicyBody = z.infer<typeof retentionPolicyBody>;

export const networkPolicyBody = z.object({
  name: z.string().optional(),
  source_cidr: z.string().optional(),
});
export type NetworkPolicyBody = z.infer<typeof networkPolicyBody>;
