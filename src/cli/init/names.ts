/** Names for webhooks in an organization file, from what a server says of them. */
import type { Webhook } from "../../resources/webhook-list.js";

export interface Named {
  readonly webhook: Webhook;
  /** Lower-case letters, digits and dashes; no two the same. */
  readonly name: string;
  /** What tells the webhook from another one that would be named alike, where its name does not. */
  readonly remark?: string;
}

/** One for each webhook, in their order. */
export function namesFor(webhooks: readonly Webhook[]): Named[] {
  const groups = Map.groupBy(webhooks, nameOf);
  const suffixes = new Map([...groups.values()].flatMap((group) => [...suffixesFor(group)]));
  const wanted = webhooks.map((webhook) => {
    const suffix = suffixes.get(webhook) ?? "";
    return suffix === "" ? nameOf(webhook) : `${nameOf(webhook)}-${suffix}`;
  });
  const taken = new Set<string>();
  return webhooks.map((webhook, index) => {
    const name = firstFree(wanted[index] ?? "", taken);
    taken.add(name);
    return name === wanted[index] ? { webhook, name } : { webhook, name, remark: `id ${beginningOf(webhook.id)}` };
  });
}

/** The host a webhook calls; undefined where it has no URL. The rest of the URL may be a secret, and is left out. */
export function hostOf({ url }: Webhook): string | undefined {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.hostname : undefined;
}

function nameOf(webhook: Webhook): string {
  const candidates = [webhook.name, webhook.label, webhook.description, hostOf(webhook), `webhook ${webhook.id}`];
  return candidates.map((text) => slug(text, maxLength)).find((name) => name !== "") ?? "webhook";
}

/** What tells webhooks of one name apart, by webhook: their events, else a piece of their ids. Empty where nothing does. */
function suffixesFor(group: readonly Webhook[]): Map<Webhook, string> {
  if (group.length === 1) return new Map();
  const kinds = [ownEvents(group), group.map(({ id }) => idPiece(id, 0, 8)), group.map(({ id }) => idPiece(id, -8))];
  const distinct = kinds.find((suffixes) => new Set(suffixes).size === group.length);
  return new Map(group.flatMap((webhook, index) => (distinct ? [[webhook, distinct[index] ?? ""]] : [])));
}

/** The events that not all webhooks of the group are for. */
function ownEvents(group: readonly Webhook[]): string[] {
  const events = group.map(({ subscribed_events: list }) =>
    Array.isArray(list) ? list.filter((event) => typeof event === "string") : [],
  );
  return events.map((own) => {
    const apart = own.filter((event) => !events.every((all) => all.includes(event)));
    return slug(apart.sort().join(" "), maxLength);
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

/** Room for what tells it from others, and still short enough to read in a URN. */
const maxLength = 40;

function slug(text: unknown, length: number): string {
  if (typeof text !== "string") return "";
  // Accents come off their letters; whatever else is no letter or digit of ASCII becomes a dash.
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
