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

describe("a secret that a server repeats is not shown", () => {
  const token = `vp_t+o/k"e\\n=$&7h2`;
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\r\nhkiG9w0B\n--\n";
  test.each([
    ["plain", token, token],
    ["in a URL", token, encodeURIComponent(token)],
    ["in JSON", token, JSON.stringify(token).slice(1, -1)],
    ["trimmed", ` ${token}\n`, token],
    ["in JSON with its line ends", key, JSON.stringify(key).slice(1, -1)],
    ["one of its lines", key, "MIIEvQIBADANBgkq"],
    ["its last long line", key, "hkiG9w0B"],
  ])("%s", (_name, secret, text) => {
    expect(redact(`got ${text}, sorry`, [secret])).toBe("got [redacted], sorry");
  });

  test("and a short one or a short line does not take other text with it", () => {
    expect(redact("dA== is not a number, 7 is", ["t"])).toBe("dA== is no[redacted] a number, 7 is");
    expect(redact("a -- dash", [key])).toBe("a -- dash");
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
