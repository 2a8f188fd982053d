/** What is found in answers whose shape the interface leaves open. */
import fc from "../../support/properties";
import { unknownValue } from "../../../src/values/engine.js";
import { singleProcessRun, type Context } from "../../../src/resources/lifecycle.js";
import { idKey } from "../../../src/resources/fields.js";
import { idsIn, isListed, readWebhookList } from "../../../src/resources/webhook-list.js";
import { findSecret } from "../../../src/resources/webhook-rotation.js";

const members = ["webhooks", "items", "data", "results", "webhook", "secret", "signing_secret", "key", "id"];
const markers = ["next", "next_cursor", "nextPageToken", "has_more", "hasMore", "cursor", "total", "count", "links", "meta"]; // prettier-ignore

/** Any JSON, with members that servers are known to use more often than chance would have it. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...members, ...markers, "__proto__", "length"), tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("a secret is found, or not, in any JSON; it is never empty", () => {
  fc.assert(
    fc.property(
      json,
      fc.option(fc.constantFrom("webhook.secret", "a.b", "0", "length", "__proto__.x"), { nil: undefined }),
      (data, path) => {
        // prettier-ignore
        const found = findSecret(data, path);
        expect(found === undefined || (typeof found === "string" && found !== "")).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a path finds what is there and nothing that an object merely inherits", () => {
  expect(findSecret({ a: { b: "s" } }, "a.b")).toBe("s");
  expect(findSecret([["s"]], "0.0")).toBe("s");
  expect(findSecret({ a: 1 }, "constructor.name")).toBeUndefined();
  expect(findSecret("s", "length")).toBeUndefined();
});

test("the most telling name wins, wherever it is, and outside the webhook before in it", () => {
  expect(findSecret({ secret: "s", signing_secret: "best" })).toBe("best");
  expect(findSecret({ secret: "s", webhook: { signing_secret: "inner" } })).toBe("inner");
  expect(findSecret({ secret: "outer", webhook: { secret: "inner" } })).toBe("outer");
});

test("any JSON can be read as a list, or not; every webhook in it has an id", () => {
  fc.assert(
    fc.property(json, (data) => {
      const list = readWebhookList(data) ?? [];
      for (const webhook of list) expect(typeof webhook.id).toBe("string");
    }),
    { numRuns: 2000 },
  );
});

const webhooks = fc.array(fc.record({ id: fc.uuid() }), { maxLength: 4 });
const listName = fc.constantFrom("webhooks", "items", "data", "results");
/** Other members of an answer, such as what servers say of pages. */
const beside = fc.oneof(
  fc.constantFrom<object>(
    { next_cursor: "abc" },
    { has_more: true },
    { total: 50 },
    { meta: { page: 1 } },
    { links: [] },
  ),
  fc.dictionary(fc.constantFrom(...markers), fc.jsonValue(), { maxKeys: 3 }),
);

test("a list is found at each of its places, whatever else the answer has", () => {
  fc.assert(
    fc.property(webhooks, listName, beside, (list, name, other) => {
      expect(readWebhookList(list)).toEqual(list);
      expect(readWebhookList({ ...other, [name]: list })).toEqual(list);
      expect(readWebhookList({ ...other, data: { ...other, [name]: list } })).toEqual(list);
    }),
  );
});

test("what is no webhook is left out of the list", () => {
  fc.assert(
    fc.property(webhooks, fc.constantFrom<unknown>(null, 1, "id", [], {}, { id: 7 }, { id: null }), (list, odd) => {
      expect(readWebhookList({ webhooks: [...list, odd] })).toEqual(list);
    }),
  );
});

test.each([
  [{ secret: "short" }, "short"],
  [{ secret: "two words" }, "two words"],
  [{ secret: "a**b" }, "a**b"],
  [{ secret: "aab" }, "aab"],
  [{ secret: "a...b" }, "a...b"],
  [{ secret: "a…b" }, "a…b"],
  [{ signing_secret: "best", signingSecret: "second" }, "best"],
  [{ signingSecret: "best", new_secret: "second" }, "best"],
  [{ new_secret: "best", newSecret: "second" }, "best"],
  [{ newSecret: "best", secret: "second" }, "best"],
])("what may be a secret is taken for one: %j", (data, secret) => {
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

test("a member that is no secret does not hide the secret in another one", () => {
  expect(findSecret({ signing_secret: "********", secret: "s3cret" })).toBe("s3cret");
  expect(findSecret({ secret: null, webhook: { secret: "s3cret" } })).toBe("s3cret");
});

test("all webhooks of a run are looked for in one request and one pass over its list", async () => {
  let [requests, passes] = [0, 0];
  const webhook = new Proxy({ id: "wh_1" }, { ownKeys: (target) => (passes++, Reflect.ownKeys(target)) });
  const api = { send: () => Promise.resolve((requests++, { data: [webhook] })) };
  const ctx = { api, run: singleProcessRun() } as unknown as Context;
  expect(await Promise.all([isListed(ctx, "wh_1"), isListed(ctx, "WH_1"), isListed(ctx, "wh_2")])).toEqual([
    true,
    true,
    false,
  ]);
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
