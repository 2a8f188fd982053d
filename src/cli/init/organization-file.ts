/** The organization file of a new project: without a resource, or with the webhooks that a server listed. */
import { stringify } from "yaml";
import { id as idSchema, idKey } from "../../resources/fields.js";
import type { Webhook } from "../../resources/webhook-list.js";
import { defaultOrganizationFile } from "../../organization-file/document.js";
import { problemLines, readOrganizationFile } from "../../organization-file/reader.js";
import { hostOf, namesFor, type NamedWebhook } from "./names.js";
import { template } from "./templates.js";

export const emptyOrganizationFile = (): string => template(defaultOrganizationFile);

const headOfWebhooks = "# Signing secrets.";

/** @param webhooks that the server listed */
export function organizationFileOf(webhooks: readonly Webhook[]): string {
  const distinct = [...new Map(webhooks.map((webhook) => [webhook.id, webhook])).values()];
  const usable = distinct.filter(hasUsableId);
  const fit = usable.filter(isFirstOfItsKey);
  const left = { unusable: distinct.length - usable.length, respelled: usable.length - fit.length };
  const [before = "", empty = ""] = emptyOrganizationFile().split(headOfWebhooks);
  const text = before + headOfWebhooks + (fit.length === 0 ? empty : section(fit)) + notes(left);
  const reading = readOrganizationFile(text);
  if ("organization" in reading) return text;
  throw new Error(
    `the webhooks cannot be written as an organization file: ${problemLines(reading, defaultOrganizationFile).join("; ")}`,
  );
}

const hasUsableId = ({ id }: Webhook): boolean => idSchema.safeParse(id).success;

/** An organization file refuses two entries whose ids may be two spellings of one. */
const isFirstOfItsKey = ({ id }: Webhook, index: number, webhooks: readonly Webhook[]): boolean =>
  webhooks.findIndex((other) => idKey(other.id) === idKey(id)) === index;

const sectionHead = ` onCreate: adopt takes a webhook over as it is: nothing is sent, and its secret is not known until
# the first rotation (a change of triggers, or rotateAfter). Names are free to choose before the first \`up\`; later, another
# name is another resource.
webhooks:
`;

function section(webhooks: readonly Webhook[]): string {
  return sectionHead + namesFor(webhooks).map(entry).join("");
}

function entry({ webhook, name }: NamedWebhook): string {
  const state = webhook.enabled === false ? "disabled on the server" : undefined;
  const remarks = [hostOf(webhook), state].filter(Boolean);
  return `${remarks.length > 0 ? `  # ${remarks.join(", ")}\n` : ""}  ${stringify(name).trim()}:
    id: ${quoted(webhook.id)}
    onCreate: adopt
`;
}

const quoted = (text: string): string =>
  stringify(text, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity }).trim();

interface LeftOut {
  readonly unusable: number;
  readonly respelled: number;
}

function notes({ unusable, respelled }: LeftOut): string {
  const lines = [
    unusable === 0 ? undefined : `Left out, because no request could name them by their ids: ${unusable}.`,
    respelled === 0
      ? undefined
      : `Left out, because their ids differ from one above in upper and lower case only: ${respelled}.`,
  ].filter((line) => line !== undefined);
  return lines.map((line) => `# ${line}\n`).join("");
}
