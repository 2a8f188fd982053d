/** Texts of servers and errors, made fit to be shown. */
import { cleanText, redact } from "../../../src/values/text.js";

test("a text of a server is cut between characters, never inside one", () => {
  expect(cleanText(`${"x".repeat(299)}\u{1f600} and more`, [])).toBe(`${"x".repeat(299)}…`);
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
