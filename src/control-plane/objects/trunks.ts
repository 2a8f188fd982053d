import { z } from "zod";
import { idField, missing, timeField, type Kind } from "./kind.js";

const seed = z.strictObject({
  id: idField,
  name: z.string(),
  outbound_auth: z.enum(["set", "cleared"]).default("set"),
  created_at: timeField,
});

export const trunks: Kind<typeof seed> = {
  operations: {
    clearTrunkOutboundAuth: {
      right: "trunks:write",
      answer: ({ id, before = missing("trunk", id), now }) => ({
        object: { ...before, outbound_auth: "cleared", updated_at: now },
      }),
    },
  },
  seed,
  key: "id",
  initial: [
    { id: "b0000000-0000-4000-8000-000000000001", name: "Carrier A" },
    { id: "b0000000-0000-4000-8000-000000000002", name: "Carrier B" },
    { id: "b0000000-0000-4000-8000-000000000003", name: "Carrier C", outbound_auth: "cleared" },
  ],
};
