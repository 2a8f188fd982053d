/** The server's list of webhooks. The interface does not define its shape. */
import { compact, isObject } from "../../values/any.js";
import { errorOf } from "../../values/diagnostic.js";
import { requestWebhooks, type Api } from "../../client/operations.js";
import type { Context, EngineRun } from "../../lifecycle/context.js";
import { idKey } from "../../lifecycle/object.js";

/** One webhook of the list. The server decides its members beside `id`. @category Webhooks */
export interface Webhook {
  /** The webhook's id, which is the `webhookId` of a WebhookSecret. */
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface WebhookList {
  readonly webhooks: readonly Webhook[];
  /** How many entries have no id. */
  readonly unreadable: number;
  /** The ids, as {@link idKey}: an entry may have one in each member that names it. */
  readonly ids: ReadonlySet<string>;
  /** All texts and numbers of the entries, as {@link idKey}: one of them may be an id in a member that is not called one. */
  readonly texts: ReadonlySet<string>;
  /** Why a webhook that is not in the list may exist; undefined if it is the whole list. */
  readonly partial: string | undefined;
}

const places = ["webhooks", "items", "data", "results"];

/** The list in an answer: an array, or its member webhooks, items, data or results, also within a member data. Undefined if there is none. */
export function readWebhookList(data: unknown): WebhookList | undefined {
  const around: Record<string, unknown>[] = [];
  const entries = entriesIn(data, around);
  if (!entries) return undefined;
  const read = entries.map(webhookOf);
  const webhooks = read.filter((webhook) => webhook !== undefined);
  const texts = webhooks.flatMap((webhook) => Object.values(webhook)).flatMap(idOf);
  const unreadable = read.length - webhooks.length;
  const why = compact(
    unreadable > 0 && unreadableText({ webhooks, unreadable }),
    around.some((members) => hasMorePages(members, read.length)) && "the list may have further pages",
  );
  return {
    webhooks,
    unreadable,
    ids: new Set(webhooks.flatMap(idsOf).map(idKey)),
    texts: new Set(texts.map(idKey)),
    partial: why.length > 0 ? why.join(" and ") : undefined,
  };
}

/** @param around receives the objects that the list is in */
function entriesIn(data: unknown, around: Record<string, unknown>[]): unknown[] | undefined {
  if (Array.isArray(data)) return data as unknown[];
  if (!isObject(data)) return undefined;
  around.push(data);
  return entriesIn(places.map((place) => data[place]).find(Array.isArray) ?? data.data, around);
}

const unreadableText = ({ webhooks, unreadable }: Pick<WebhookList, "webhooks" | "unreadable">): string =>
  `${unreadable} of ${webhooks.length + unreadable} entries have no id that can be read`;

/** The members that name an entry, the most specific first. */
const idNames = ["id", "webhook_id", "webhookId", "uuid", "uid", "_id"];

/** An entry may be its id alone. */
function webhookOf(entry: unknown): Webhook | undefined {
  if (!isObject(entry)) return idOf(entry).map((id) => ({ id }))[0];
  const [id] = idNames.flatMap((name) => idOf(entry[name]));
  return id === undefined ? undefined : { ...entry, id };
}

/** A text or a number as an id, in a list of one or none. A number that JavaScript has rounded would name another webhook. */
function idOf(value: unknown): string[] {
  if (typeof value === "string" && value !== "") return [value];
  return Number.isSafeInteger(value) ? [String(value)] : [];
}

const idsOf = (webhook: Webhook): string[] => idNames.flatMap((name) => idOf(webhook[name]));

const nextName = /next|has_?more|continuation|cursor/i;
const linkName = /^links?$/i;
const totalName = /^(total|count|(total|item|record|result)_?(count|items|results|records))$/i;
const pagesName = /^(total_?pages|page_?count|pages|last_?page)$/i;
const limitName = /^(limit|per_?page|page_?size)$/i;

/** Whether any member says that there are more pages, also in `meta`, `links` or `pagination`. A list that fills its page is a sign too. */
function hasMorePages(members: Record<string, unknown>, length: number): boolean {
  return Object.entries(members).some(([name, value]) => {
    if (linkName.test(name) && !isObject(value)) return /\bnext\b/i.test(JSON.stringify(value));
    if (nextName.test(name))
      return isObject(value) ? Object.keys(value).length > 0 : Boolean(value) && value !== "false";
    if (isObject(value)) return hasMorePages(value, length);
    const count = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
    if (totalName.test(name)) return count > length;
    if (pagesName.test(name)) return count > 1;
    return limitName.test(name) && count > 0 && count <= length;
  });
}

/**
 * The webhooks, for `listWebhooks` of programs.
 *
 * @throws Error if the answer has no list, or one with entries that cannot be read
 */
export async function fetchWebhooks(api: Api): Promise<Webhook[]> {
  const list = readWebhookList(await requestWebhooks(api));
  if (!list) throw errorOf("list-unreadable", `listWebhooks: ${noList}`);
  if (list.unreadable > 0)
    throw errorOf("list-unreadable", `listWebhooks: ${unreadableText(list)} in the server's answer`);
  return [...list.webhooks];
}

const noList = "no list was found in the server's answer";

const lists = new WeakMap<EngineRun, Promise<WebhookList | undefined>>();

/** The server's list, from one request in each run. */
function webhookList({ api, run }: Context): Promise<WebhookList | undefined> {
  const known = lists.get(run);
  if (known) return known;
  const list = requestWebhooks(api).then(readWebhookList);
  lists.set(run, list);
  // The next look-up asks again.
  list.catch(() => lists.delete(run));
  return list;
}

/** Whether the server lists the webhook, in any case; otherwise why that is not known. */
export async function isListed(ctx: Context, webhookId: string): Promise<boolean | string> {
  const list = await webhookList(ctx);
  return list ? isInList(list, webhookId) : noList;
}

/** Whether this list has the webhook, in any case; otherwise why that is not known. */
export function isInList(list: WebhookList, webhookId: string): boolean | string {
  if (list.ids.has(idKey(webhookId))) return true;
  if (list.texts.has(idKey(webhookId)))
    return "an entry of the server's list has this text, perhaps as its id, in a member that is not called one";
  return list.partial === undefined ? false : `it is not in what can be read of the server's list, and ${list.partial}`;
}
