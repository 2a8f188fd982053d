/** What can be said of an answer to the webhook list, whose shape the interface leaves open. */

/**
 * One webhook of the list. Members beyond `id` are the server's own.
 *
 * @category Webhooks
 */
export interface Webhook {
  /** The webhook's id, which is the `webhookId` of a WebhookSecret. */
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface WebhookList {
  readonly webhooks: readonly Webhook[];
  /** False where the answer may hold only a part: what is not in it may exist all the same. */
  readonly complete: boolean;
}

/**
 * Finds the list in `data`: the array itself, or the member webhooks, items, data or results, also one level further down
 * in a member data. Undefined if there is none.
 */
export function readWebhookList(data: unknown): WebhookList | undefined {
  const found = findList(data);
  if (!found) return undefined;
  const webhooks = found.list.filter(isWebhook);
  const isAll = found.isAlone && !looksLikePage(found.list.length);
  return { webhooks, complete: webhooks.length === found.list.length && isAll };
}

/**
 * Whether any member of a webhook is this id, in any case: servers that take an id in several spellings list one of them,
 * and not always under the name `id`.
 */
export function isNamed(webhook: Webhook, id: string): boolean {
  const wanted = id.toLowerCase();
  return Object.values(webhook).some((value) => typeof value === "string" && value.toLowerCase() === wanted);
}

/**
 * `isAlone`: nothing stands beside the list, so nothing can say that there is more. Any other member may, whatever its name
 * and value: a webhook is called gone only if a complete list lacks it, and would then be rotated.
 */
function findList(data: unknown): { list: readonly unknown[]; isAlone: boolean } | undefined {
  if (Array.isArray(data)) return { list: data, isAlone: true };
  if (!isObject(data)) return undefined;
  const list: unknown = [data.webhooks, data.items, data.data, data.results].find(Array.isArray);
  const found = findList(list ?? data.data);
  return found && { ...found, isAlone: found.isAlone && Object.keys(data).length === 1 };
}

function isWebhook(item: unknown): item is Webhook {
  return isObject(item) && typeof item.id === "string";
}

/** Servers that cut lists without saying so cut them at round numbers. */
function looksLikePage(length: number): boolean {
  return length >= 10 && length % 5 === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
