/** docs/reference/messages.md explains messages that there are. A reader searches it for the code or the text that a command has printed. */
import { globSync } from "node:fs";
import { labelOf, risks } from "../../../src/lifecycle/effects/effect";
import { codes } from "../../../src/values/codes";
import { prose } from "../../support/docs/documents";
import { read, root } from "../../support/repository";

/** What the first cells of the tables have in backquotes: codes in brackets, and texts in which "…" is a value. */
const entries = [
  ...(prose("docs/reference/messages.md").split("\n## Settings\n")[1] ?? "").matchAll(/^\| (`.*?`) *\|/gm),
].flatMap(([, cell = ""]) => [...cell.matchAll(/`(.+?)`(?:<br>|, |$)/g)].map(([, text = ""]) => text));
const texts = entries.filter((entry) => !/^\[.*\]$/.test(entry));

/** The sources, in which a text that goes on in the next line is whole. */
const sources = globSync("src/**/*.ts", { cwd: root })
  .map(read)
  .join("\n")
  .replaceAll(/["`] \+\s+(\/\/.*\s+)?["`]/g, "")
  .replaceAll('\\"', '"')
  .replaceAll("\\`", "`");

// `npm run schema` writes the list of codes, and a test of it fails where that differs.
test("every code is given in the sources, and every bracket at the end of a message in the docs is a code", () => {
  const given = sources.replace(/export const codes[^;]*;/, "");
  const ofRisks: readonly string[] = risks.map(labelOf);
  expect(Object.keys(codes).filter((code) => !ofRisks.includes(code) && !given.includes(`"${code}"`))).toEqual([]);
  const shown = globSync("{README.md,docs/**/*.md}", { cwd: root })
    .flatMap((page) => [...read(page).matchAll(/(?<=\w.* )\[([a-z]+(?:-[a-z\d]+)+)\]$/gm)])
    .map(([, code = ""]) => code);
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.filter((code) => !Object.hasOwn(codes, code))).toEqual([]);
});

test("every code is on the page, once", () => {
  const listed = [...prose("docs/reference/messages.md").matchAll(/`\[([a-z\d-]+)\]`/g)].map(([, code = ""]) => code);
  expect(listed.toSorted()).toEqual(Object.keys(codes).sort());
});

test("every text is in the sources, and none is there twice", () => {
  expect(texts.length).toBeGreaterThan(15);
  const isMissing = (part: string) => !sources.includes(part.trim());
  expect(texts.filter((text) => text.split("…").some(isMissing))).toEqual([]);
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test("the release notes name each risk, because a list of `--fail-on` lets a new one pass", () => {
  const notes = read("CHANGELOG.md");
  expect(risks.filter((risk) => !notes.includes(risk))).toEqual([]);
});
