/** Texts of servers and errors, made fit to be shown. */
import { cleanText, redact } from "../../../src/values/text.js";
import { messageOf } from "../../../src/values/any.js";

const face = "\u{1f600}";

describe("a text of a server is cut", () => {
  test("between characters, never inside one", () => {
    expect(cleanText(`${"x".repeat(299)}${face} and more`, [])).toBe(`${"x".repeat(299)}…`);
    expect(cleanText(`${"x".repeat(299)}e\u0301 and more`, [])).toBe(`${"x".repeat(299)}…`);
  });

  test("also where one character alone is longer than the limit", () => {
    expect(cleanText(`e${"\u0301".repeat(400)}`, [])).toHaveLength(301);
  });
});

describe("a token that a server repeats is not shown", () => {
  const token = `vp_t+o/k"e\\n=$&7h2`;
  const header = `Authorization: Bearer ${token}`;
  const hex = Buffer.from(token).toString("hex");
  test.each([
    ["plain", token],
    ["in a URL", encodeURIComponent(token)],
    ["in a URL, in small letters", encodeURIComponent(token).replaceAll(/%../g, (code) => code.toLowerCase())],
    ["in JSON", JSON.stringify({ token })],
    ["in JSON that escapes slashes", JSON.stringify({ token }).replaceAll("/", "\\/")],
    ["in hex", hex],
    ["in capital hex", hex.toUpperCase()],
    ["in base64", Buffer.from(token).toString("base64")],
    ["in base64url", Buffer.from(token).toString("base64url")],
  ])("%s", (_name, text) => {
    const shown = redact(`got ${text}, sorry`, [token]);
    expect(shown).toContain("[redacted]");
    expect(shown).toMatch(/^got .*, sorry$/);
    for (const part of [token, encodeURIComponent(token), text]) expect(shown).not.toContain(part);
  });

  test.each([header, `Bearer ${token}`, `:${token}`, `x:${token}`, `xy:${token}`, `xyz:${token}:more`])(
    "in base64 of a longer text, wherever it begins: %s",
    (text) => {
      for (const encoding of ["base64", "base64url"] as const) {
        const shown = redact(Buffer.from(text).toString(encoding), [token]);
        const decoded = Buffer.from(shown.replace("[redacted]", " "), encoding).toString("latin1");
        expect(shown).toContain("[redacted]");
        for (let at = 0; at + 3 <= token.length; at++) expect(decoded).not.toContain(token.slice(at, at + 3));
      }
    },
  );

  test("and a short one does not take other text with it", () => {
    expect(redact("dA== is not a number, 7 is", ["t"])).toBe("dA== is no[redacted] a number, 7 is");
  });
});

describe("the message of", () => {
  const unreadable = Object.defineProperty(new Error(), "message", {
    get() {
      throw new Error("no message");
    },
  });
  const impostor = new Proxy(new Error("x"), {
    has() {
      throw new Error("no members");
    },
  });
  test.each([
    ["an error", new Error("it broke"), "it broke"],
    ["a text", "it broke", "it broke"],
    ["nothing", undefined, "undefined"],
    ["a symbol", Symbol("it broke"), "Symbol(it broke)"],
    ["an error that is not to be read", unreadable, "an error without a message"],
    ["an error that is not to be asked", impostor, "an error without a message"],
    ["an object without a text", Object.create(null), "an error without a message"],
    [
      "an error whose message is no text",
      Object.assign(new Error(), { message: { toString: 1 } }),
      "an error without a message",
    ],
  ])("%s never throws", (_name, error, message) => {
    expect(messageOf(error)).toBe(message);
  });
});
