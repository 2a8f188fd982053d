import { docsOf, documented } from "../../schema/documentation.js";
import { define, settingSection } from "../definition.js";
import {
  organizationRetentionOnDelete,
  retentionPolicyArgs as args,
  retentionPolicyOutputs as outputs,
} from "./arguments.js";
import { retentionPolicyLifecycle as lifecycle } from "./lifecycle.js";

const onDelete = documented(organizationRetentionOnDelete, docsOf(args.shape.onDelete).doc ?? "").optional();

export const retentionPolicy = define({
  path: "retention-policy",
  args,
  outputs,
  lifecycle,
  section: {
    ...settingSection,
    name: "retention",
    doc: "How long each kind of data is kept. A kind that is left out is not managed.",
    content: "retention policies",
    entryType: "OrganizationRetention",
    entryDoc: "A `RetentionPolicy` without its kind, which is the key, and with `days` for `retentionDays`.",
    names: { days: "retentionDays", "onDelete.days": "onDelete.retentionDays" },
    key: "resource",
    properties: { onDelete },
  },
});
