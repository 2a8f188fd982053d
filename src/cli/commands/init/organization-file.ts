/** The organization file of a new project: without a resource, or with the webhooks that a server listed. */
import { stringify } from "yaml";
import { idKey } from "../../../lifecycle/object.js";
import { id as idSchema } from "../../../schema/fields.js";
import type { Webhook } from "../../../resources/webhook-secret/list.js";
import { defaultOrganizationFile } from "../../../organization-file/content.js";
import { compact, distinctBy } from "../../../values/any.js";
import { template } from "./templates.js";

/** @param partial why the server's list may lack some webhooks */
export function newOrganizationFile(webhooks: readonly Webhook[], partial?: string): string {
  const usable = webhooks.filter(({ id }) => idSchema.safeParse(id).success);
  // An organization file refuses two entries whose ids may be two spellings of one.
  const declared = distinctBy(usable, ({ id }) => idKey(id));
  const left = new Set(webhooks.map(({ id }) => id)).size - declared.length;
  const why = "no request can name them by their ids, or only upper and lower case differ from one above";
  return [
    declared.length === 0 ? template(defaultOrganizationFile) : fileWith(declared),
    left === 0 ? "" : `# Left out: ${left}, because ${why}.\n`,
    partial === undefined ? "" : `# Not complete: ${partial}. Add what is missing with onCreate: adopt.\n`,
  ].join("");
}

/** The template, with these webhooks in place of its paragraph about them. Each section is a paragraph, which ends with its key. */
function fileWith(webhooks: readonly Webhook[]): string {
  const paragraphs = template(defaultOrganizationFile).split(/(?<=\n)\n/);
  const filled = template("webhooks.yaml") + entriesOf(webhooks);
  return paragraphs.map((each) => (/^webhooks: \{\}\n$/m.test(each) ? filled : each)).join("\n");
}

function entriesOf(webhooks: readonly Webhook[]): string {
  const taken = new Set<string>();
  const entries = webhooks.map((webhook) => {
    const name = entryNameOf(webhook);
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
    taken.add(free);
    return entry(webhook, free);
  });
  return entries.join("");
}

function entry(webhook: Webhook, name: string): string {
  const remarks = compact(hostOf(webhook), webhook.enabled === false && "disabled on the server");
  return `${remarks.length > 0 ? `  # ${remarks.join(", ")}\n` : ""}  ${stringify(name).trim()}:
    id: ${JSON.stringify(webhook.id)}
    onCreate: adopt
`;
}

/** The host of a webhook's URL. The rest of the URL may be secret. */
function hostOf({ url }: Webhook): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.hostname : undefined;
}

/** A name of lower-case ASCII letters, digits and dashes, short enough to read in a URN. */
function entryNameOf(webhook: Webhook): string {
  const texts = [webhook.name, webhook.description, hostOf(webhook), `webhook ${webhook.id}`];
  const names = texts.map((text) => {
    // In this form, an accent is a character of its own.
    const letters = typeof text === "string" ? text.normalize("NFKD").toLowerCase() : "";
    const name = letters.replaceAll(/\p{Mn}/gu, "").replaceAll(/[^a-z0-9]+/g, "-");
    return trimmed(trimmed(name).slice(0, 40));
  });
  return names.find((name) => name !== "") ?? "webhook";
}

const trimmed = (text: string): string => text.replace(/^-/, "").replace(/-$/, "");
