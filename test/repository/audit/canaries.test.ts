/** Proves that the search finds canaries. Otherwise an empty result would prove nothing. */
import { canary, leaksIn, printed } from "../../support/audit/canaries";

const { text } = canary("token");
const json = (value: unknown) => JSON.stringify(value);

test.each([
  ["plain", text],
  ["within other text", `Authorization: Bearer ${text}.`],
  ["URL-encoded", encodeURIComponent(text)],
  ["form-encoded", new URLSearchParams({ text }).toString()],
  ["JSON", json(text)],
  ["JSON in JSON in JSON", json(json(json({ text })))],
  ["only its beginning", text.slice(0, 16)],
  ["only its end", text.slice(-24)],
])("a canary is found: %s", (_spelling, shown) => {
  expect(leaksIn(`"log": ${shown}\n`, [canary("token"), canary("another")])).toEqual(["token"]);
});

test("text without a canary has no findings", () => {
  expect(leaksIn("[redacted] [secret] Bearer", [canary("token"), canary("another")])).toEqual([]);
});

test("the search finds visible properties, hidden properties, causes and JSON", () => {
  const hidden = Object.defineProperty({}, "secret", { value: text, enumerable: false });
  class Sealed {
    readonly #secret = text;
    toJSON(): string {
      return this.#secret;
    }
  }
  const cause = new Error("failed", { cause: { token: text } });
  for (const value of [{ a: [{ b: text }] }, hidden, new Sealed(), cause, new Map([["a", text]])]) {
    expect(leaksIn(printed(value), [canary("token")])).toEqual(["token"]);
  }
});
