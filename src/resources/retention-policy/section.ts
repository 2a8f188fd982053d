import { docsOf, documented } from "../../schema/documentation.js";
import { settingSection, type Section } from "../section.js";
import { organizationRetentionOnDelete, retentionPolicyArgs } from "./arguments.js";

export const retentionSection: Section<"retention"> = {
  ...settingSection,
  name: "retention",
  doc: "How long each kind of data is kept. A kind that is left out is not managed.",
  content: "retention policies",
  entryType: "OrganizationRetention",
  entryDoc: "A `RetentionPolicy` without its kind, which is the key, and with `days` for `retentionDays`.",
  names: { days: "retentionDays", "onDelete.days": "onDelete.retentionDays" },
  key: "resource",
  properties: {
    onDelete: documented(
      organizationRetentionOnDelete,
      docsOf(retentionPolicyArgs.shape.onDelete).doc ?? "",
    ).optional(),
  },
};
