/** What is found in answers whose shape the interface leaves open. */
import fc from "../../../support/properties";
import { unknownValue } from "../../../../src/values/engine.js";
import { newRun, type Context } from "../../../../src/lifecycle/context.js";
import { fetchWebhooks, hasWebhook, webhooksIn, webhooksOf } from "../../../../src/resources/webhook-secret/list.js";
import { findSecret } from "../../../../src/resources/webhook-secret/rotation.js";

const members = ["webhooks", "secret", "signing_secret", "key", "id", "__proto__", "length"];

/** Any JSON, with members that servers are known to use more often than chance would have it. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...members), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const anyPath = fc.constantFrom(undefined, "webhook.secret", "a.b", "0", "length", "__proto__.x");

test("a secret is found, or not, in any JSON, and is never empty; so is a list, and each of its webhooks has an id", () => {
  fc.assert(
    fc.property(json, anyPath, (data, path) => {
      const found = findSecret(data, path);
      expect(found === undefined || (typeof found === "string" && found !== "")).toBe(true);
      for (const webhook of webhooksIn(data) ?? []) expect(typeof webhook.id).toBe("string");
    }),
    { numRuns: 500 },
  );
});

test("every printable text without white space is believed at a path that the program states", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength: 1 }),
      (text) => {
        expect(findSecret({ a: { b: text } }, "a.b")).toBe(text);
      },
    ),
  );
});

test.each<[data: unknown, path: string, secret: string | undefined]>([
  [{ a: [{ b: "no" }, { b: "s3" }] }, "a.1.b", "s3"],
  [{ a: "with a space" }, "a", undefined],
  [{ a: unknownValue }, "a", undefined],
  // Not what an object merely inherits.
  [{ a: 1 }, "constructor.name", undefined],
  ["s", "length", undefined],
])("in %j, the path %s finds %s", (data, path, secret) => {
  expect(findSecret(data, path)).toBe(secret);
});

test.each([
  [{ secret: "short" }, "short"],
  [{ secret: "whsec_p@ss.w0rd!!" }, "whsec_p@ss.w0rd!!"],
  [{ signing_secret: "best", secret: "second" }, "best"],
  ["0123456789ab", "0123456789ab"],
  // What is no secret does not hide one.
  [{ signing_secret: "********", secret: "s3cret" }, "s3cret"],
])("the secret in %j is %s", (data, secret) => {
  expect(findSecret(data)).toBe(secret);
});

test.each([
  ["a short text by itself", "rotated"],
  ["words by themselves", "the secret was rotated"],
  ["a member of another name", { key: "0123456789abcdef" }],
  ["a mask", { secret: "********" }],
  ["a mask of dots in its middle", { secret: "whs_...1a2b" }],
  ["a mask of bullets", { secret: "whs_\u2022\u2022\u2022\u20221a2b" }],
  ["a word in square brackets", { secret: "[REDACTED]" }],
  ["a word in angle brackets", { secret: "<redacted>" }],
  ["its beginning, with one character for the dots", { signing_secret: "whsec_9f2…" }],
  ["no text", { secret: 1234567890123456 }],
  ["an empty text", { secret: "" }],
  ["what the engine calls unknown", { secret: unknownValue }],
])("%s is no secret", (_name, data) => {
  expect(findSecret(data)).toBeUndefined();
});

test("a list is the data or its member webhooks, and what has no text as its id is no webhook", () => {
  const list = [{ id: "wh_1", enabled: true }, { id: 7 }, { name: "crm" }, "wh_2", null];
  for (const data of [list, { webhooks: list, next: "/2" }]) expect(webhooksIn(data)).toEqual([list[0]]);
  for (const data of [undefined, "", { items: list }, { webhooks: {} }]) expect(webhooksIn(data)).toBeUndefined();
  expect(hasWebhook([{ id: "Wh_1" }], "wH_1")).toBe(true);
});

test("a program learns that an answer has no list", async () => {
  const api = { send: () => Promise.resolve({ count: 0 }) };
  await expect(fetchWebhooks(api)).rejects.toThrow("no list was found in the server's answer [list-unreadable]");
});

test("all webhooks of a run are looked for in one request, unless that was refused", async () => {
  const answers = [Promise.reject(new Error("503")), Promise.resolve([{ id: "wh_1" }])];
  const ctx = { api: { send: () => answers.shift() }, run: newRun() } as unknown as Context;
  await expect(webhooksOf(ctx)).rejects.toThrow("503");
  expect(await Promise.all([webhooksOf(ctx), webhooksOf(ctx)])).toEqual([[{ id: "wh_1" }], [{ id: "wh_1" }]]);
});
