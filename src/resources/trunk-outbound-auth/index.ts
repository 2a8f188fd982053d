import * as z from "zod";
import { documented } from "../../schema/documentation.js";
import { define, renameDoc, settingSection } from "../definition.js";
import { trunkOutboundAuthArgs as args, trunkOutboundAuthOutputs as outputs } from "./arguments.js";
import { trunkOutboundAuthLifecycle as lifecycle } from "./lifecycle.js";

const outboundAuth = documented(
  z
    .enum(["cleared", "tracked"])
    .describe('"cleared" (removes its credentials for good) or "tracked" (its credentials are set elsewhere)'),
  "Whether the trunk has outbound authentication. Cleared credentials cannot be restored, and calls that need them fail.",
);

export const trunkOutboundAuth = define({
  path: "trunk-outbound-auth",
  args,
  outputs,
  lifecycle,
  section: {
    ...settingSection,
    name: "trunks",
    doc: `The outbound authentication of SIP trunks. ${renameDoc}`,
    content: "trunks",
    entryType: "OrganizationTrunk",
    entryDoc: "A `TrunkOutboundAuth`, with `id` for `trunkId` and `outboundAuth` for `cleared`.",
    names: { id: "trunkId", outboundAuth: "cleared" },
    properties: { outboundAuth },
    values: { outboundAuth: { cleared: true, tracked: false } },
  },
});
