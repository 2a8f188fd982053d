/** The organization file of a new project: one that declares nothing yet, or the webhooks that a server has listed. */
import { stringify } from "yaml";
import { id as idSchema } from "../../resources/fields.js";
import type { Webhook, WebhookList } from "../../resources/webhook-list.js";
import { readOrganizationFile } from "../../organization-file/reader.js";
import { hostOf, namesFor, type Named } from "./names.js";

export const organizationFileName = "organization.yaml";

const head = `# yaml-language-server: $schema=./node_modules/pulumi-voiceplane/organization.schema.json
#
# One organization's settings. \`pulumi preview\` shows what would change, \`pulumi up\` makes it so.

# How long data is kept: recordings, conversations, audit_events. The first \`up\` replaces the setting that is there; if
# that was longer, data is deleted for good.
#   recordings: { days: 90 }
retention: {}

# Who may reach the control plane. mustInclude: addresses that have to stay inside, such as the one that runs \`pulumi up\`.
#   office: { id: "…", sourceCidr: 203.0.113.0/24, mustInclude: [203.0.113.7] }
networkPolicies: {}

# outboundAuth: cleared removes a trunk's outbound credentials at the first \`up\`.
#   carrier-a: { id: "…", outboundAuth: cleared }
trunks: {}

`;

const noWebhooks = `# Signing secrets. The first \`up\` rotates, unless rotateOnCreate is false.
#   crm: { id: "…", rotateAfter: 90d }
webhooks: {}
`;

export const emptyOrganizationFile = head + noWebhooks;

/** @param address of the server that has listed them */
export function organizationFileOf({ webhooks, complete }: WebhookList, address: string): string {
  const distinct = [...new Map(webhooks.map((webhook) => [webhook.id, webhook])).values()];
  const [fit, unfit] = [distinct.filter(hasUsableId), distinct.filter((webhook) => !hasUsableId(webhook))];
  const text = head + (fit.length === 0 ? noWebhooks : section(fit)) + notes(address, complete, unfit.length);
  const reading = readOrganizationFile(text, organizationFileName);
  if ("organization" in reading) return text;
  throw new Error(`the webhooks cannot be written as an organization file: ${reading.problems.join("; ")}`);
}

const hasUsableId = ({ id }: Webhook): boolean => idSchema.safeParse(id).success;

const sectionHead = `# Signing secrets. rotateOnCreate: false takes a webhook over as it is: nothing is sent, and its secret is not known until
# the first rotation (a change of triggers, or rotateAfter). Names are free to choose before the first \`up\`; later, another
# name is another resource.
webhooks:
`;

function section(webhooks: readonly Webhook[]): string {
  return sectionHead + namesFor(webhooks).map(entry).join("");
}

function entry({ webhook, name, remark }: Named): string {
  const state = webhook.enabled === false ? "disabled on the server" : undefined;
  const remarks = [hostOf(webhook), remark && oneLine(remark), state].filter(Boolean);
  return `${remarks.length > 0 ? `  # ${remarks.join(", ")}\n` : ""}  ${stringify(name).trim()}:
    id: ${quoted(webhook.id)}
    rotateOnCreate: false
`;
}

/** A comment ends with its line, and what a server lists may hold the end of one. */
const oneLine = (text: string): string => text.replaceAll(/[^\x20-\x7e…]/g, "?");

const quoted = (text: string): string =>
  stringify(text, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity }).trim();

function notes(address: string, complete: boolean, left: number): string {
  const lines = [
    complete ? undefined : `The list of ${address} may be only a part: other webhooks may exist.`,
    left === 0 ? undefined : `Left out, because no request could name them by their ids: ${left}.`,
  ].filter((line) => line !== undefined);
  return lines.map((line) => `# ${line}\n`).join("");
}
