import { z } from "zod";
import { retentionDaysLimits, retentionResources, type RetentionResource } from "../../contract/index.js";
import { kindOf, organizationId, parsed, Refusal, timeField, type CommonFields } from "./kind.js";

export interface RetentionPolicyRecord extends CommonFields {
  readonly resource: RetentionResource;
  readonly retention_days: number;
  readonly enabled: boolean;
}

const body = z.object({
  retention_days: z.int().min(retentionDaysLimits.min).max(retentionDaysLimits.max),
  enabled: z.boolean(),
});

export const retentionPolicies = kindOf<RetentionPolicyRecord>()({
  operations: {
    putRetentionPolicy: {
      right: "retention",
      answer(policies, id, json) {
        const resource = retentionResources.find((known) => known === id);
        if (resource === undefined) throw new Refusal(`resource must be one of ${retentionResources.join(", ")}`);
        const fields = parsed(body, json(), Refusal);
        const updated_at = policies.now();
        const created_at = policies.get(resource)?.created_at ?? updated_at;
        const policy = { organization_id: organizationId, resource, ...fields, created_at, updated_at };
        policies.set(resource, policy);
        return policy;
      },
    },
  },
  bodyFields: Object.keys(body.shape),
  seed: { resource: z.enum(retentionResources), ...body.shape, created_at: timeField },
  initial: [],
  idOf: ({ resource }) => resource,
  seeded: (fields, common) => ({ ...fields, ...common }),
});
