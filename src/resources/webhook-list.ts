/** The server's list of webhooks. The interface does not define its shape. */
import { isObject } from "../values.js";
import type { Api } from "../client/client.js";
import { listWebhooks } from "../client/operations.js";
import { idKey } from "./fields.js";
import type { Context, EngineRun } from "./lifecycle.js";

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

const answers = new WeakMap<EngineRun, Promise<unknown>>();

/** The list's answer, from one request in each run. */
export function webhooksAnswer({ api, run }: Context): Promise<unknown> {
  const answer = answers.get(run) ?? listWebhooks(api);
  answers.set(run, answer);
  return answer;
}

/** Whether the server lists the webhook; undefined if its answer has no list. */
export async function isListed(ctx: Context, webhookId: string): Promise<boolean | undefined> {
  return readWebhookList(await webhooksAnswer(ctx))?.some((webhook) => isNamed(webhook, webhookId));
}

/** Whether any member of a webhook is this id, in any case: servers list one spelling, and not always as `id`. */
export function isNamed(webhook: Webhook, id: string): boolean {
  const wanted = idKey(id);
  return Object.values(webhook).some((value) => typeof value === "string" && idKey(value) === wanted);
}

function isWebhook(item: unknown): item is Webhook {
  return isObject(item) && typeof item.id === "string";
}
