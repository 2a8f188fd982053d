/** What can be said of an answer to the webhook list, whose shape the interface leaves open. */

/** One webhook of the list. Members beyond `id` are the server's own. */
export interface Webhook {
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface WebhookList {
  readonly webhooks: readonly Webhook[];
  /** False where the answer may hold only a part: what is not in it may exist all the same. */
  readonly complete: boolean;
}

/** Finds the list in `data`: the array itself, or the member webhooks, items or data. Undefined if there is none. */
export function readWebhookList(data: unknown): WebhookList | undefined {
  const found = Array.isArray(data) ? data : listIn(data);
  if (!found) return undefined;
  const webhooks = found.filter(isWebhook);
  return { webhooks, complete: webhooks.length === found.length && !saysMore(data, found.length) };
}

function listIn(data: unknown): unknown[] | undefined {
  if (!isObject(data)) return undefined;
  return [data.webhooks, data.items, data.data, data.results].find((member) => Array.isArray(member));
}

function isWebhook(item: unknown): item is Webhook {
  return isObject(item) && typeof item.id === "string";
}

/**
 * Whether a member beside the list speaks of more than the list: a cursor, a next page, a total above its length. Said
 * too easily rather than too rarely: a webhook is called gone on the strength of a complete list only.
 */
function saysMore(data: unknown, length: number): boolean {
  if (!isObject(data)) return false;
  return Object.entries(data).some(([key, value]) => {
    if (Array.isArray(value)) return /next|link/i.test(key) && value.length > 0;
    if (isObject(value)) return saysMore(value, length) || (/next|link/i.test(key) && Object.keys(value).length > 0);
    if (/total|count/i.test(key)) return Number(value) !== length;
    return /next|more|cursor|page|offset|limit|partial|truncated|incomplete/i.test(key) && isSet(value);
  });
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
