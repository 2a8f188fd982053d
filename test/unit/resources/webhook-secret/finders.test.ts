/** What is found in answers whose shape the interface leaves open. */
import fc from "../../../support/properties";
import { unknownValue } from "../../../../src/values/engine.js";
import { singleProcessRun, type Context } from "../../../../src/lifecycle/context.js";
import { idKey } from "../../../../src/schema/fields.js";
import { idsIn, isListed, readWebhookList } from "../../../../src/resources/webhook-secret/list.js";
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
      for (const webhook of readWebhookList(data) ?? []) expect(typeof webhook.id).toBe("string");
    }),
    { numRuns: 500 },
  );
});

test.each<[data: unknown, path: string, secret: string | undefined]>([
  [{ a: { b: "s" } }, "a.b", "s"],
  [{ a: [{ b: "no" }, { b: "s" }] }, "a.1.b", "s"],
  // Not what an object merely inherits.
  [{ a: 1 }, "constructor.name", undefined],
  ["s", "length", undefined],
])("in %j, the path %s finds %s", (data, path, secret) => {
  expect(findSecret(data, path)).toBe(secret);
});

test.each([
  [{ secret: "short" }, "short"],
  [{ secret: "two words" }, "two words"],
  [{ secret: "a**b" }, "a**b"],
  [{ secret: "aab" }, "aab"],
  [{ secret: "a...b" }, "a...b"],
  [{ secret: "a…b" }, "a…b"],
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

const webhooks = fc.array(fc.record({ id: fc.uuid() }), { maxLength: 4 });
const listName = fc.constantFrom("webhooks", "items", "data", "results");
/** Other members of an answer, such as what servers say of pages. */
const beside = fc.dictionary(fc.constantFrom(...markers), fc.jsonValue(), { maxKeys: 3 });
const noWebhook = fc.constantFrom<unknown>(null, 1, "id", [], {}, { id: 7 }, { id: null });

test("a list is found at each of its places, whatever else the answer has, and without what is no webhook", () => {
  fc.assert(
    fc.property(webhooks, listName, beside, noWebhook, (list, name, other, odd) => {
      const answered = [...list, odd];
      expect(readWebhookList(answered)).toEqual(list);
      expect(readWebhookList({ ...other, [name]: answered })).toEqual(list);
      expect(readWebhookList({ ...other, data: { ...other, [name]: answered } })).toEqual(list);
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

test("a webhook is named by any of its members, in any case, and by whole values alone", () => {
  const ids = idsIn([{ id: "7", uuid: "Abc-1", enabled: true, nothing: null }]);
  for (const id of ["7", "abc-1", "ABC-1"]) expect(ids?.has(idKey(id))).toBe(true);
  for (const id of ["abc", "bc-1", "true", "null", "uuid"]) expect(ids?.has(idKey(id))).toBe(false);
});

test("a list that was refused is asked for again", async () => {
  const answers = [Promise.reject(new Error("503")), Promise.resolve([{ id: "wh_1" }])];
  const ctx = { api: { send: () => answers.shift() }, run: singleProcessRun() } as unknown as Context;
  await expect(isListed(ctx, "wh_1")).rejects.toThrow("503");
  expect(await isListed(ctx, "wh_1")).toBe(true);
});
