/** A resource that no version has: how many calls an organization may have at once. */
import { z } from "zod";
import { documented, typeNamed } from "../../../src/resources/documentation.js";
import * as fields from "../../../src/resources/fields.js";
import type { ResourceEntry } from "../../../src/resources/index.js";
import { withOrganizationRules } from "../../../src/resources/rules.js";
import { setting } from "../../../src/resources/setting.js";
import type { ResourceTexts } from "../../../tools/schemas/resource-texts.js";

const direction = typeNamed(z.enum(["inbound", "outbound"]), "CallDirection", "Who calls.");
const window = typeNamed(
  z.strictObject({ hours: documented(z.array(z.int()), "Hours of the day, in UTC.") }),
  "CallWindow",
  "When a limit holds.",
);

const callLimitArgs = z.strictObject({
  direction: documented(direction, "The calls that are limited."),
  calls: documented(z.int().describe("a whole number"), "How many calls at once."),
  window: documented(window, "When the limit holds. Default: always.").optional(),
  pin: documented(z.string(), "What a caller says to pass. Default: none.", { secret: true }).optional(),
  onDelete: documented(z.enum(["retain", "lift"]), "What destroy does.").optional(),
  ...fields.sending,
  onCreate: fields.optionalOnCreate,
});
type Args = z.infer<typeof callLimitArgs>;

const callLimitOutputs = z.object({
  direction: documented(direction, "The calls that are limited."),
  calls: documented(z.int(), "How many, as last sent."),
  ticket: documented(z.string(), "What the server answered.", { secret: true }).optional(),
  organization: fields.organization,
});

export const callLimitTexts: ResourceTexts = {
  category: "Calls",
  summary: "How many calls the organization may have at once.",
  verbs: { create: "a request.", update: "the same.", read: "nothing.", delete: "what `onDelete` says." },
  errors: "none.",
};

export const callLimitExamples = {
  typescript: 'import { CallLimit } from "pulumi-voiceplane";\n',
  python: "import pulumi_voiceplane as voiceplane\n",
  go: 'import "pulumi-voiceplane/sdk/go/voiceplane"\n',
  yaml: "resources: {}\n",
};

const callLimit = setting<Args, "direction", "calls">({
  type: "CallLimit",
  identity: "direction",
  args: callLimitArgs,
  properties: ["calls"],
  risk: () => undefined,
  send: () => Promise.resolve(),
  undo: () => Promise.resolve(),
});

export const callLimitEntry: ResourceEntry = {
  path: "call-limit",
  args: callLimitArgs,
  outputs: callLimitOutputs,
  lifecycle: withOrganizationRules(callLimit),
};
