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
  const found = Array.isArray(data) ? data : listIn(data);
  if (!found) return undefined;
  const webhooks = found.filter(isWebhook);
  const hints = hintsOf(data, found);
  const isAll = hints.length > 0 ? !hints.includes("more") : !looksLikePage(found.length);
  return { webhooks, complete: webhooks.length === found.length && isAll };
}

/**
 * Whether any member of a webhook is this id, in any case: servers that take an id in several spellings list one of them,
 * and not always under the name `id`.
 */
export function isNamed(webhook: Webhook, id: string): boolean {
  const wanted = id.toLowerCase();
  return Object.values(webhook).some((value) => typeof value === "string" && value.toLowerCase() === wanted);
}

function listIn(data: unknown): unknown[] | undefined {
  if (!isObject(data)) return undefined;
  return [data.webhooks, data.items, data.data, data.results].find(Array.isArray) ?? listIn(data.data);
}

function isWebhook(item: unknown): item is Webhook {
  return isObject(item) && typeof item.id === "string";
}

/** Servers that cut lists without a word do it at round numbers. */
function looksLikePage(length: number): boolean {
  return length >= 10 && length % 5 === 0;
}

type Hint = "more" | "all";

const hint = (isMore: boolean): Hint => (isMore ? "more" : "all");

/**
 * What the members beside the list say: a cursor, a next page or a total above its length speak of more. Found too easily
 * rather than too rarely, and "all" the other way round: a webhook is called gone on the strength of a complete list only,
 * and would then be rotated.
 */
function hintsOf(beside: unknown, list: readonly unknown[]): Hint[] {
  if (!isObject(beside)) return [];
  return Object.entries(beside).flatMap(([key, value]) => {
    if (value === list) return [];
    if (typeof value === "object" && value !== null) {
      const links = /next|link/i.test(key) ? [hint(Object.keys(value).length > 0)] : [];
      return [...links, ...hintsOf(value, list)];
    }
    if (isTotal(key)) return [hint(Number(value) !== list.length)];
    if (/(^|_|is)_?(last|final|complete|done)(_|$)/i.test(key) && typeof value === "boolean") return [hint(!value)];
    if (/next|more|truncated|incomplete/i.test(key)) return [hint(isSet(value))];
    // A page's own number, size or length: 0 and the length of the list say nothing of what is behind it.
    const isHint = /count/i.test(key) ? Number(value) !== list.length : otherMarks.test(key) && isSet(value);
    return isHint ? ["more"] : [];
  });
}

const isTotal = (key: string): boolean => /total/i.test(key) && !/page/i.test(key);

const otherMarks = /cursor|page|offset|limit|range|partial|remaining|marker|continu|scroll|(^|_)after/i;

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
