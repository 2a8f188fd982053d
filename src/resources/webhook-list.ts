/** Finds the webhooks in the answer to the webhook list, whose shape the interface leaves open. */
import type { Api } from "../client/client.js";
import { listWebhooks } from "../client/operations.js";
import { idKey } from "./fields.js";

/** One webhook of the list. The server decides its members beside `id`. @category Webhooks */
export interface Webhook {
  /** The webhook's id, which is the `webhookId` of a WebhookSecret. */
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface WebhookList {
  readonly webhooks: readonly Webhook[];
  /** False where the answer may be only a part: a webhook that is not in it may exist. */
  readonly complete: boolean;
}

/** The list in `data`: an array, or its member webhooks, items, data or results, also below a member data; undefined if none. */
export function readWebhookList(data: unknown): WebhookList | undefined {
  const found = findList(data);
  if (!found) return undefined;
  const webhooks = found.list.filter(isWebhook);
  const isAll = found.isAlone && !looksLikePage(found.list.length);
  return { webhooks, complete: webhooks.length === found.list.length && isAll };
}

/**
 * The function `listWebhooks` of programs: all webhooks that the server lists, with a warning where that may be only a part.
 *
 * @throws Error if the answer has no list
 */
export async function fetchWebhooks(api: Api, warn: (message: string) => unknown): Promise<Webhook[]> {
  const list = readWebhookList(await listWebhooks(api));
  if (!list) throw new Error("listWebhooks: no list was found in the server's answer");
  if (!list.complete) await warn("listWebhooks: the server's list may be only a part of the webhooks");
  return [...list.webhooks];
}

/** Whether any member of a webhook is this id, in any case: servers list one spelling, and not always under the name `id`. */
export function isNamed(webhook: Webhook, id: string): boolean {
  const wanted = idKey(id);
  return Object.values(webhook).some((value) => typeof value === "string" && idKey(value) === wanted);
}

/**
 * `isAlone`: the list has no members beside it. Any member may say that there is more. This errs towards "more": a webhook
 * wrongly called gone would be rotated.
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

/** Servers that shorten a list without saying so shorten it to a round number. */
function looksLikePage(length: number): boolean {
  return length >= 10 && length % 5 === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
