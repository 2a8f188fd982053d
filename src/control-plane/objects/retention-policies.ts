import { z } from "zod";
import { retentionDaysLimits, retentionResources } from "../../contract/index.js";
import { organizationId, parsed, Refusal, timeField, type Kind } from "./kind.js";

const body = z.object({
  retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
  enabled: z.boolean(),
});

const seed = z.strictObject({ resource: z.enum(retentionResources), ...body.shape, created_at: timeField });

export const retentionPolicies: Kind<typeof seed> = {
  operations: {
    putRetentionPolicy: {
      right: "retention",
      answer({ id, before, now, json }) {
        const resource = retentionResources.find((known) => known === id);
        if (resource === undefined) throw new Refusal(`resource must be one of ${retentionResources.join(", ")}`);
        const fields = parsed(body, json(), Refusal);
        const created_at = before?.created_at ?? now;
        const policy = { organization_id: organizationId, resource, ...fields, created_at, updated_at: now };
        return { object: policy, data: policy };
      },
    },
  },
  body,
  seed,
  key: "resource",
  initial: [],
};
