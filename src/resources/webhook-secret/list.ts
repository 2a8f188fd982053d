/** The server's list of webhooks. The interface does not define its shape. */
import { isObject } from "../../values/any.js";
import type { Api } from "../../client/api.js";
import { listWebhooks } from "../../client/operations.js";
import { idKey } from "../../schema/fields.js";
import type { Context, EngineRun } from "../../lifecycle/context.js";

/** One webhook of the list. The server decides its members beside `id`. @category Webhooks */
export interface Webhook {
  /** The webhook's id, which is the `webhookId` of a WebhookSecret. */
  readonly id: string;
  readonly [member: string]: unknown;
}

/** The list in `data`: an array, or its member webhooks, items, data or results, also within a member data; undefined if none. */
export function readWebhookList(data: unknown): Webhook[] | undefined {
  if (Array.isArray(data)) return data.filter(isWebhook);
  if (!isObject(data)) return undefined;
  return readWebhookList([data.webhooks, data.items, data.data, data.results].find(Array.isArray) ?? data.data);
}

/**
 * For `listWebhooks` of programs.
 *
 * @throws Error if the answer has no list
 */
export async function fetchWebhooks(api: Api): Promise<Webhook[]> {
  const list = readWebhookList(await listWebhooks(api));
  if (!list) throw new Error("listWebhooks: no list was found in the server's answer");
  return list;
}

const lists = new WeakMap<EngineRun, Promise<ReadonlySet<string> | undefined>>();

/** What the server's list has that may be an id, from one request in each run; undefined if its answer has no list. */
export function listedIds({ api, run }: Context): Promise<ReadonlySet<string> | undefined> {
  const known = lists.get(run);
  if (known) return known;
  const list = listWebhooks(api).then(idsIn);
  lists.set(run, list);
  // The next look-up asks again.
  list.catch(() => lists.delete(run));
  return list;
}

/** Whether the server lists the webhook; undefined if its answer has no list. */
export async function isListed(ctx: Context, webhookId: string): Promise<boolean | undefined> {
  return (await listedIds(ctx))?.has(idKey(webhookId));
}

/** Every text of a webhook, in any case: servers list one spelling, and not always as `id`. */
export function idsIn(data: unknown): ReadonlySet<string> | undefined {
  const texts = readWebhookList(data)?.flatMap((webhook) => Object.values(webhook));
  return texts && new Set(texts.filter((text) => typeof text === "string").map(idKey));
}

function isWebhook(item: unknown): item is Webhook {
  return isObject(item) && typeof item.id === "string";
}
