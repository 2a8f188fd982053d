/** The bodies of the contract as schemas: what the control plane accepts. */
import { z } from "zod";
import { retentionDaysLimits, type NetworkPolicyBody, type RetentionPolicyBody } from "../contract.js";

export const retentionPolicyBody = z.object({
  /** A whole number of days from 1 to 3650. */
  retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
  /** Whether the policy is in force. */
  enabled: z.boolean(),
}) satisfies z.ZodType<RetentionPolicyBody>;

export const networkPolicyBody = z.object({
  name: z.string().optional(),
  source_cidr: z.string().optional(),
}) satisfies z.ZodType<NetworkPolicyBody>;
