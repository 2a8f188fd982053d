import { z } from "zod";
import { idField, kindOf, missing, timeField, type CommonFields } from "./kind.js";

export interface TrunkRecord extends CommonFields {
  readonly id: string;
  readonly name: string;
  readonly outbound_auth: "set" | "cleared";
}

export const trunks = kindOf<TrunkRecord>()({
  operations: {
    clearTrunkOutboundAuth: {
      right: "trunks:write",
      answer(all, id) {
        const before = all.get(id) ?? missing("trunk", id);
        all.set(id, { ...before, outbound_auth: "cleared", updated_at: all.now() });
        return undefined;
      },
    },
  },
  bodyFields: [],
  seed: {
    id: idField,
    name: z.string(),
    outbound_auth: z.enum(["set", "cleared"]).default("set"),
    created_at: timeField,
  },
  initial: [
    { id: "b0000000-0000-4000-8000-000000000001", name: "Carrier A" },
    { id: "b0000000-0000-4000-8000-000000000002", name: "Carrier B" },
    { id: "b0000000-0000-4000-8000-000000000003", name: "Carrier C", outbound_auth: "cleared" },
  ],
  idOf: ({ id }) => id,
  seeded: (fields, common) => ({ ...fields, ...common }),
});
