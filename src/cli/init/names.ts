/** Names for webhooks in an organization file. */
import type { Webhook } from "../../resources/webhook-list.js";

export interface NamedWebhook {
  readonly webhook: Webhook;
  /** Unique. Lower-case letters, digits and dashes. */
  readonly name: string;
}

/** One name for each webhook, in the same order. Two of one name get numbers. */
export function namesFor(webhooks: readonly Webhook[]): NamedWebhook[] {
  const taken = new Set<string>();
  return webhooks.map((webhook) => {
    const name = firstFree(nameOf(webhook), taken);
    taken.add(name);
    return { webhook, name };
  });
}

/** The host of a webhook's URL. The rest of the URL may be secret. */
export function hostOf({ url }: Webhook): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.hostname : undefined;
}

function nameOf(webhook: Webhook): string {
  const candidates = [webhook.name, webhook.label, webhook.description, hostOf(webhook), `webhook ${webhook.id}`];
  return candidates.map((text) => slug(text, maxLength)).find((name) => name !== "") ?? "webhook";
}

/** Short enough to read in a URN. */
const maxLength = 40;

function slug(text: unknown, length: number): string {
  if (typeof text !== "string") return "";
  // Accents are removed. All but ASCII letters and digits become dashes.
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
  return trimmed(trimmed(plain.replaceAll(/[^a-z0-9]+/g, "-")).slice(0, length));
}

const trimmed = (text: string): string => text.replace(/^-/, "").replace(/-$/, "");

function firstFree(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  return free;
}
