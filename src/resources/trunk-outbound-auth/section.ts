import * as z from "zod";
import { documented } from "../../schema/documentation.js";
import { renameDoc, settingSection, type Section } from "../section.js";

export const trunkSection: Section<"trunks"> = {
  ...settingSection,
  name: "trunks",
  doc: `The outbound authentication of SIP trunks. ${renameDoc}`,
  content: "trunks",
  entryType: "OrganizationTrunk",
  entryDoc: "A `TrunkOutboundAuth`, with `id` for `trunkId` and `outboundAuth` for `cleared`.",
  names: { id: "trunkId", outboundAuth: "cleared" },
  properties: {
    outboundAuth: documented(
      z
        .enum(["cleared", "tracked"])
        .describe('"cleared" (removes its credentials for good) or "tracked" (its credentials are set elsewhere)'),
      "Whether the trunk has outbound authentication. Cleared credentials cannot be restored, and calls that need them fail.",
    ),
  },
  values: { outboundAuth: { cleared: true, tracked: false } },
};
