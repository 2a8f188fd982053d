/** Names for webhooks in an organization file. */
import type { Webhook } from "../../resources/webhook-list.js";

export interface NamedWebhook {
  readonly webhook: Webhook;
  /** Unique. Lower-case letters, digits and dashes. */
  readonly name: string;
  /** Identifies the webhook if its name has a number to make it unique. */
  readonly remark?: string;
}

/** One name for each webhook, in the same order. */
export function namesFor(webhooks: readonly Webhook[]): NamedWebhook[] {
  const groups = Map.groupBy(webhooks, nameOf);
  const suffixes = new Map([...groups.values()].flatMap((group) => [...suffixesFor(group)]));
  const preferred = webhooks.map((webhook) => {
    const suffix = suffixes.get(webhook) ?? "";
    return suffix === "" ? nameOf(webhook) : `${nameOf(webhook)}-${suffix}`;
  });
  const taken = new Set<string>();
  return webhooks.map((webhook, index) => {
    const name = firstFree(preferred[index] ?? "", taken);
    taken.add(name);
    return name === preferred[index] ? { webhook, name } : { webhook, name, remark: `id ${beginningOf(webhook.id)}` };
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

/** Suffixes for webhooks of the same name: their events, or a part of their ids. Empty if neither is unique. */
function suffixesFor(group: readonly Webhook[]): Map<Webhook, string> {
  if (group.length === 1) return new Map();
  const choices = [ownEvents(group), group.map(({ id }) => idPiece(id, 0, 8)), group.map(({ id }) => idPiece(id, -8))];
  const distinct = choices.find((suffixes) => new Set(suffixes).size === group.length);
  return new Map(group.flatMap((webhook, index) => (distinct ? [[webhook, distinct[index] ?? ""]] : [])));
}

/** Each webhook's events, without those that all of the group have. */
function ownEvents(group: readonly Webhook[]): string[] {
  const events = group.map(({ subscribed_events: list }) =>
    Array.isArray(list) ? list.filter((event) => typeof event === "string") : [],
  );
  return events.map((own) => {
    const distinct = own.filter((event) => !events.every((all) => all.includes(event)));
    return slug(distinct.sort().join(" "), maxLength);
  });
}

const idPiece = (id: string, ...range: [start: number, end?: number]): string =>
  slug(
    slug(id, Infinity)
      .replaceAll("-", "")
      .slice(...range),
    8,
  );

const beginningOf = (id: string): string => (id.length > 8 ? `${id.slice(0, 8)}…` : id);

/** Leaves room for a suffix, and is short enough to read in a URN. */
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
