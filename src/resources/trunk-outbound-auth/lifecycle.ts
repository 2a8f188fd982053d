/** TrunkOutboundAuth: whether a SIP trunk has outbound authentication. */
import { RequestError } from "../../client/errors.js";
import { trunkOutboundAuthArgs, type TrunkOutboundAuthArgs as Args } from "./arguments.js";
import { setting } from "../../lifecycle/setting.js";

export const trunkOutboundAuthLifecycle = setting<Args, "trunkId", "cleared" | "triggers">({
  type: "TrunkOutboundAuth",
  identity: "trunkId",
  operation: "clearTrunkOutboundAuth",
  args: trunkOutboundAuthArgs,
  properties: ["cleared", "triggers"],

  everSends: ({ cleared }) => cleared !== false,

  doubt: "it is unknown whether its last request was carried out: its outbound credentials may be gone.",

  does: "clears its outbound credentials, which cannot be restored",
  bodyProperties: [],
  valuesOnDelete: () => ({}),
  requestRisks: () => ["cuts a trunk"],
  guards: {},
  sent: () => "cleared",

  send: ({ api }, { trunkId }) => api.send("clearTrunkOutboundAuth", { trunk_id: trunkId }),

  async sendOnDelete({ api }, { trunkId }) {
    try {
      await api.send("clearTrunkOutboundAuth", { trunk_id: trunkId });
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 404) throw error;
    }
  },
});
