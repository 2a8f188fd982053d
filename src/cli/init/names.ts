/** Names for webhooks in an organization file, from what a server says of them. */
import type { Webhook } from "../../resources/webhook-list.js";

/** One for each webhook, in their order: lower-case letters, digits and dashes, no two the same. */
export function namesFor(webhooks: readonly Webhook[]): string[] {
  const taken = new Set<string>();
  return webhooks.map((webhook) => {
    const name = firstFree(nameOf(webhook), taken);
    taken.add(name);
    return name;
  });
}

/** The host a webhook calls; undefined where it has no URL. The rest of the URL may be a secret, and is left out. */
export function hostOf({ url }: Webhook): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.hostname : undefined;
}

function nameOf(webhook: Webhook): string {
  const candidates = [webhook.name, webhook.label, hostOf(webhook), `webhook ${webhook.id}`];
  return candidates.map(slug).find((name) => name !== "") ?? "webhook";
}

/** Room for a number behind it, and still short enough to read in a URN. */
const maxLength = 40;

function slug(text: unknown): string {
  if (typeof text !== "string") return "";
  // Accents come off their letters; whatever else is no letter or digit of ASCII becomes a dash.
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
  return trimmed(trimmed(plain.replaceAll(/[^a-z0-9]+/g, "-")).slice(0, maxLength));
}

const trimmed = (text: string): string => text.replace(/^-/, "").replace(/-$/, "");

function firstFree(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  return free;
}
