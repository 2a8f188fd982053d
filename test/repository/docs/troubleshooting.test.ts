import { blocks } from "../../support/docs/documents";
import { entries, fits, messages } from "../../support/docs/messages";

test("the search finds the messages in the sources", () => {
  expect(messages.length).toBeGreaterThan(80);
  const texts = messages.map(({ text }) => text);
  // One message of each kind of expression.
  expect(texts).toContain("declare name, sourceCidr or both: otherwise there is nothing to manage");
  expect(texts).toContain("… does not contain …, which mustInclude requires");
  expect(texts).toContainEqual(expect.stringMatching(/^the token is in plain text .* if that file was shared$/));
  expect(texts).toContain("no list was found in the server's answer, so the state is kept as it is.");
});

test("every message in the sources has an entry in docs/reference/messages.md", () => {
  const missing = messages.filter(({ text }) => !entries.some((entry) => fits(entry, text)));
  expect(missing.map(({ at, text }) => `${at} ${text}`)).toEqual([]);
});

test("every entry of docs/reference/messages.md is a message in the sources, of more than one word", () => {
  expect(entries.filter((entry) => !messages.some(({ text }) => fits(entry, text)))).toEqual([]);
  expect(entries.filter((entry) => entry.split(/[\s…]+/).length < 2)).toEqual([]);
  expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
});

const quoted = blocks.filter(({ language, role }) => language === "text" && role === "message");

test.each(quoted)("the message that $file:$line quotes is in the sources", ({ text }) => {
  const quoted = text.replaceAll(/\s+/g, " ");
  expect(messages.filter((message) => fits(message.text.replaceAll(/\s+/g, " "), quoted))).not.toEqual([]);
});
