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
  const ids = new Set(webhooks.map(({ id }) => id));
  const leftOut = ids.size - declared.length;
  const why = "no request can name them by their ids, or only upper and lower case differ from one above";
  return [
    declared.length === 0 ? template(defaultOrganizationFile) : fileWith(declared),
    leftOut === 0 ? "" : `# Left out: ${leftOut}, because ${why}.\n`,
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
  const byName = new Map<string, Webhook>();
  for (const webhook of webhooks) {
    const name = entryNameOf(webhook);
    let free = name;
    for (let number = 2; byName.has(free); number++) free = `${name}-${number}`;
    byName.set(free, webhook);
  }
  return [...byName].map(([name, webhook]) => entry(webhook, name)).join("");
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
    // In the form NFKD, an accent is a character of its own, and can be left out.
    const letters = typeof text === "string" ? text.normalize("NFKD").toLowerCase() : "";
    const words = letters.replaceAll(/\p{Mn}/gu, "").match(/[a-z0-9]+/g) ?? [];
    return words.join("-").slice(0, 40).replace(/-$/, "");
  });
  return names.find((name) => name !== "") ?? "webhook";
}
