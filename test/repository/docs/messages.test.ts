/** docs/reference/messages.md explains messages that there are. A reader searches it for the text that a command has printed. */
import { globSync } from "node:fs";
import { prose, read, root } from "../../support/docs/documents";

/** The headings and first table cells that are in backquotes, with a `<br>` between two. "…" is a value. */
const entries = [
  ...prose("docs/reference/messages.md").matchAll(/^(?:\| |#+ )((?:(`+) ?.+? ?\2(?:<br>)?)+)(?= *\||$)/gm),
].flatMap(([, cell = ""]) => [...cell.matchAll(/(`+) ?(.+?) ?\1(?:<br>|$)/g)].map(([, , text = ""]) => text));

/** The sources, in which a text that goes on in the next line is whole. */
const sources = globSync("src/**/*.ts", { cwd: root })
  .map(read)
  .join("\n")
  .replaceAll(/["`] \+\s+(\/\/.*\s+)?["`]/g, "")
  .replaceAll('\\"', '"')
  .replaceAll("\\`", "`");

test("every entry is in the sources, and none is there twice", () => {
  expect(entries.length).toBeGreaterThan(150);
  const isMissing = (part: string) => !sources.includes(part.trim());
  expect(entries.filter((entry) => entry.split("…").some(isMissing))).toEqual([]);
  expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
});
