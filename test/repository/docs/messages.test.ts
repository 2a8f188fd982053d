/** docs/reference/messages.md explains messages that there are. A reader searches it for the text that a command has printed. */
import { globSync } from "node:fs";
import { labelOf, risks } from "../../../src/lifecycle/effects/effect";
import { codes } from "../../../src/values/codes";
import { prose } from "../../support/docs/documents";
import { read, root } from "../../support/repository";

/** The headings and first table cells that are in backquotes, with a `<br>` between two. "…" is a value. */
const entries = [
  ...(prose("docs/reference/messages.md").split("\n## Settings\n")[1] ?? "").matchAll(
    /^(?:\| |#+ )((?:(`+) ?.+? ?\2(?:<br>)?)+)(?= *\||$)/gm,
  ),
].flatMap(([, cell = ""]) => [...cell.matchAll(/(`+) ?(.+?) ?\1(?:<br>|$)/g)].map(([, , text = ""]) => text));

/** The sources, in which a text that goes on in the next line is whole. */
const sources = globSync("src/**/*.ts", { cwd: root })
  .map(read)
  .join("\n")
  .replaceAll(/["`] \+\s+(\/\/.*\s+)?["`]/g, "")
  .replaceAll('\\"', '"')
  .replaceAll("\\`", "`");

// `npm run schema` writes the table of codes, and a test of it fails where that differs.
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

test("every entry is in the sources, and none is there twice", () => {
  expect(entries.length).toBeGreaterThan(150);
  const isMissing = (part: string) => !sources.includes(part.trim());
  expect(entries.filter((entry) => entry.split("…").some(isMissing))).toEqual([]);
  expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
});
