/** What is found in answers whose shape the interface leaves open. */
import fc from "../../../support/properties";
import { unknownValue } from "../../../../src/values/engine.js";
import { singleProcessRun, type Context } from "../../../../src/lifecycle/context.js";
import {
  fetchWebhooks,
  isInList,
  isListed,
  readWebhookList,
  type WebhookList,
} from "../../../../src/resources/webhook-secret/list.js";
import { findSecret } from "../../../../src/resources/webhook-secret/rotation.js";

const members = ["webhooks", "items", "data", "results", "webhook", "secret", "signing_secret", "key", "id"];
const markers = ["next", "next_cursor", "nextPageToken", "has_more", "cursor", "total", "count", "links", "meta"];

/** Any JSON, with members that servers are known to use more often than chance would have it. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...members, ...markers, "__proto__", "length"), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const anyPath = fc.constantFrom(undefined, "webhook.secret", "a.b", "0", "length", "__proto__.x");

test("a secret is found, or not, in any JSON, and is never empty; so is a list, and each of its webhooks has an id", () => {
  fc.assert(
    fc.property(json, anyPath, (data, path) => {
      const found = findSecret(data, path);
      expect(found === undefined || (typeof found === "string" && found !== "")).toBe(true);
      for (const webhook of readWebhookList(data)?.webhooks ?? []) expect(typeof webhook.id).toBe("string");
    }),
    { numRuns: 500 },
  );
});

test.each<[data: unknown, path: string, secret: string | undefined]>([
  [{ a: { b: "s3" } }, "a.b", "s3"],
  [{ a: [{ b: "no" }, { b: "s3" }] }, "a.1.b", "s3"],
  [{ a: "whs_****1a2b" }, "a", undefined],
  // Not what an object merely inherits.
  [{ a: 1 }, "constructor.name", undefined],
  ["s", "length", undefined],
])("in %j, the path %s finds %s", (data, path, secret) => {
  expect(findSecret(data, path)).toBe(secret);
});

test.each([
  [{ secret: "short" }, "short"],
  [{ secret: "aab" }, "aab"],
  [{ secret: "whsec_p@ss.w0rd!" }, "whsec_p@ss.w0rd!"],
  [{ secret: "AbC//d--e__f++g==" }, "AbC//d--e__f++g=="],
  // The most telling name wins, wherever it is, and outside the webhook before in it.
  [{ signing_secret: "best", signingSecret: "second" }, "best"],
  [{ signingSecret: "best", new_secret: "second" }, "best"],
  [{ new_secret: "best", newSecret: "second" }, "best"],
  [{ newSecret: "best", secret: "second" }, "best"],
  [{ secret: "s", webhook: { signing_secret: "inner" } }, "inner"],
  [{ secret: "outer", webhook: { secret: "inner" } }, "outer"],
  // What is no secret does not hide one.
  [{ signing_secret: "********", secret: "s3cret" }, "s3cret"],
  [{ secret: null, webhook: { secret: "s3cret" } }, "s3cret"],
])("the secret in %j is %s", (data, secret) => {
  expect(findSecret(data)).toBe(secret);
});

test.each([
  ["a text by itself", "0123456789abcdef"],
  ["a member of another name", { key: "0123456789abcdef" }],
  ["a mask", { secret: "********" }],
  ["a mask of dots in its middle", { secret: "whs_...1a2b" }],
  ["a mask of bullets", { secret: "whs_\u2022\u2022\u2022\u20221a2b" }],
  ["a word in square brackets", { secret: "[REDACTED]" }],
  ["a word in angle brackets", { secret: "<hidden>" }],
  ["words", { secret: "(sensitive value)" }],
  ["a text with an invisible character", { secret: "whsec_1a2b\u200b" }],
  ["a mask in its middle", { secret: "whsec_***9f2" }],
  ["one character again and again", { signing_secret: "XXXXXXXXXXXXXXXX" }],
  ["its beginning", { secret: "whsec_9f2..." }],
  ["its beginning, with one character for the dots", { signing_secret: "whsec_9f2…" }],
  ["a single character", { secret: "x" }],
  ["no text", { secret: 1234567890123456 }],
  ["an empty text", { secret: "" }],
  ["a body as base64", { base64: "czNjcmV0LTAxMjM0NTY3ODk=", encoding: "x-new" }],
  ["a text that was decoded wrong", { secret: "whsec_\uFFFD0123456789" }],
  ["what the engine calls unknown", { secret: unknownValue }],
])("%s is no secret", (_name, data) => {
  expect(findSecret(data)).toBeUndefined();
});

function listIn(data: unknown): WebhookList {
  const list = readWebhookList(data);
  if (!list) throw new Error("no list was found");
  return list;
}

const webhooks = fc.array(fc.record({ id: fc.uuid() }), { maxLength: 4 });
const listName = fc.constantFrom("webhooks", "items", "data", "results");
/** Other members of an answer, such as what servers say of pages. */
const beside = fc.dictionary(fc.constantFrom(...markers), fc.jsonValue(), { maxKeys: 3 });
const noWebhook = fc.constantFrom<unknown>(
  null,
  true,
  "",
  [],
  {},
  { id: "" },
  { id: 1.5 },
  { id: 2 ** 60 },
  { id: null },
);

test("a list is found at each of its places, whatever else the answer has, and what is no webhook is counted", () => {
  fc.assert(
    fc.property(webhooks, listName, beside, noWebhook, (list, name, other, odd) => {
      const answered = [...list, odd];
      for (const data of [
        answered,
        { ...other, [name]: answered },
        { ...other, data: { ...other, [name]: answered } },
      ]) {
        expect(readWebhookList(data)).toMatchObject({ webhooks: list, unreadable: 1 });
        expect(isInList(listIn(data), "another")).toContain("no id that can be read");
      }
    }),
  );
});

test("all webhooks of a run are looked for in one request and one pass over its list", async () => {
  let [requests, passes] = [0, 0];
  const webhook = new Proxy({ id: "wh_1" }, { ownKeys: (target) => (passes++, Reflect.ownKeys(target)) });
  const api = { send: () => Promise.resolve((requests++, { data: [webhook] })) };
  const ctx = { api, run: singleProcessRun() } as unknown as Context;
  expect(await Promise.all(["wh_1", "WH_1", "wh_2"].map((id) => isListed(ctx, id)))).toEqual([true, true, false]);
  expect({ requests, passes }).toEqual({ requests: 1, passes: 1 });
});

test("a webhook is listed by each of its ids, in any case and as a whole, and perhaps by another member's text", () => {
  const list = listIn([{ id: "7", uuid: "Abc-1", organization_id: "org-1", consecutive_failures: 0, enabled: true }]);
  for (const id of ["7", "abc-1", "ABC-1"]) expect(isInList(list, id)).toBe(true);
  for (const id of ["org-1", "0"])
    expect(isInList(list, id)).toMatch(/^an entry of the server's list has this text, perhaps as its id/);
  for (const id of ["abc", "bc-1", "true", "null", "uuid"]) expect(isInList(list, id)).toBe(false);
});

test.each<[entry: unknown, id: string]>([
  [{ id: 42, url: "x" }, "42"],
  [{ webhook_id: "wh_1" }, "wh_1"],
  [{ webhookId: 7 }, "7"],
  [{ uuid: "u-1" }, "u-1"],
  ["wh_1", "wh_1"],
  [42, "42"],
])("an id is what names an entry, however it is spelled: %j", async (entry, id) => {
  const api = { send: () => Promise.resolve([entry]) };
  expect((await fetchWebhooks(api)).map((webhook) => webhook.id)).toEqual([id]);
});

test("a program gets no list from which an entry is missing", async () => {
  const api = { send: () => Promise.resolve([{ id: "wh_1" }, { name: "crm" }, { id: 2 ** 53 }]) };
  await expect(fetchWebhooks(api)).rejects.toThrow(
    "listWebhooks: 2 of 3 entries have no id that can be read in the server's answer",
  );
});

test.each<[object]>([
  [{ next: "/2" }],
  [{ next_cursor: "abc" }],
  [{ nextPageToken: "abc" }],
  [{ has_more: true }],
  [{ hasNextPage: true }],
  [{ pageInfo: { hasNextPage: true } }],
  [{ meta: { total: 2 } }],
  [{ total_count: "2" }],
  [{ pagination: { total_pages: 2 } }],
  [{ per_page: 1 }],
  [{ links: { next: { href: "/2" } } }],
  [{ links: [{ rel: "next", href: "/2" }] }],
  [{ link: '</v1/webhooks/?page=2>; rel="next"' }],
])("a list with a sign of more pages proves no absence: %j", (beside) => {
  for (const data of [
    { ...beside, webhooks: [{ id: "wh_1" }] },
    { ...beside, data: { webhooks: [{ id: "wh_1" }] } },
  ]) {
    const list = listIn(data);
    expect(isInList(list, "wh_1")).toBe(true);
    expect(isInList(list, "wh_2")).toBe(
      "it is not in what can be read of the server's list, and the list may have further pages",
    );
  }
});

test.each<[object]>([
  [{ next: null, next_cursor: "", has_more: false, hasNextPage: "false", links: { next: null, self: "/1" } }],
  [{ total: 1, page: 1, total_pages: 1, per_page: 20, meta: { count: "1" } }],
  [{ link: '</v1/webhooks/>; rel="self"' }],
])("a whole list does: %j", (beside) => {
  expect(isInList(listIn({ ...beside, webhooks: [{ id: "wh_1" }] }), "wh_2")).toBe(false);
});

test("a list that was refused is asked for again", async () => {
  const answers = [Promise.reject(new Error("503")), Promise.resolve([{ id: "wh_1" }])];
  const ctx = { api: { send: () => answers.shift() }, run: singleProcessRun() } as unknown as Context;
  await expect(isListed(ctx, "wh_1")).rejects.toThrow("503");
  expect(await isListed(ctx, "wh_1")).toBe(true);
});
