import { z } from "zod";
import { canonicalCidr } from "../../contract/cidr.js";
import { idField, parsed, Refusal, timeField, type Kind } from "./kind.js";

const body = z.object({ name: z.string().optional(), source_cidr: z.string().optional() });

const seed = z.strictObject({
  id: idField,
  name: z.string(),
  source_cidr: z
    .string()
    .refine((text) => canonicalCidr(text) !== undefined, "not a CIDR range")
    .transform((text) => canonicalCidr(text) ?? text),
  action: z.enum(["allow", "deny"]).default("allow"),
  status: z.enum(["active", "disabled"]).default("active"),
  created_at: timeField,
});

export const networkPolicies: Kind<typeof seed> = {
  operations: {
    patchNetworkPolicy: {
      right: "networking",
      answer({ before, now, json }) {
        const fields = parsed(body, json(), Refusal);
        // A deployed server was observed to answer this instead of 404.
        if (before === undefined) throw new Refusal("internal error", 500, "no network policy has this id");
        const name = fields.name?.trim() ?? before.name;
        if (name === "" || Buffer.byteLength(name) > 128) throw new Refusal("name must have 1 to 128 bytes");
        const source_cidr = canonicalCidr(fields.source_cidr ?? before.source_cidr);
        if (source_cidr === undefined) throw new Refusal("source_cidr must be a network range in CIDR notation");
        const policy = { ...before, name, source_cidr, updated_at: now };
        return { object: policy, data: policy };
      },
    },
  },
  body,
  seed,
  key: "id",
  initial: [
    { id: "a0000000-0000-4000-8000-000000000001", name: "Office", source_cidr: "203.0.113.0/24" },
    { id: "a0000000-0000-4000-8000-000000000002", name: "Runners", source_cidr: "198.51.100.0/25" },
  ],
};
