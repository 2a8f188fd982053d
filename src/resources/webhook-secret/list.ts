/** The server's list of webhooks. */
import type { Api } from "../../client/api.js";
import type { Context, Run } from "../../lifecycle/context.js";
import { idKey } from "../../lifecycle/object.js";
import { isObject } from "../../values/any.js";
import { errorOf } from "../../values/diagnostic.js";

/** One webhook of the list. The server decides its members beside `id`. @category Webhooks */
export interface Webhook {
  /** The webhook's id, which is the `webhookId` of a WebhookSecret. */
  readonly id: string;
  readonly [member: string]: unknown;
}

/** The webhooks in an answer, which is a list or has it as its member `webhooks`. Undefined if there is none. Further pages are not asked for. */
export function webhooksIn(data: unknown): Webhook[] | undefined {
  const list = isObject(data) ? data.webhooks : data;
  return Array.isArray(list) ? list.filter(isWebhook) : undefined;
}

const isWebhook = (entry: unknown): entry is Webhook => isObject(entry) && typeof entry.id === "string";

export const hasWebhook = (webhooks: readonly Webhook[], webhookId: string): boolean =>
  webhooks.some(({ id }) => idKey(id) === idKey(webhookId));

/**
 * The webhooks, for `listWebhooks` of programs.
 *
 * @throws Error if the answer has no list
 */
export async function fetchWebhooks(api: Api): Promise<Webhook[]> {
  const webhooks = webhooksIn(await api.send("listWebhooks", {}));
  if (!webhooks) throw errorOf("list-unreadable", "no list was found in the server's answer");
  return webhooks;
}

const lists = new WeakMap<Run, Promise<readonly Webhook[] | undefined>>();

/** The server's list, from one request in each run. Undefined if the answer has none. */
export function webhooksOf({ api, run }: Context): Promise<readonly Webhook[] | undefined> {
  const list = lists.get(run) ?? api.send("listWebhooks", {}).then(webhooksIn);
  lists.set(run, list);
  // The next look-up asks again.
  list.catch(() => lists.delete(run));
  return list;
}
