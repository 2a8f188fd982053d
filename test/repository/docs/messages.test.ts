/** docs/reference/messages.md explains messages that there are. A reader searches it for the code or the text that a command has printed. */
import { globSync } from "node:fs";
import { codes, riskCodes } from "../../../src/values/codes";
import { prose } from "../../support/docs/documents";
import { read, root } from "../../support/repository";

const page = prose("docs/reference/messages.md");
const sources = globSync("src/**/*.ts", { cwd: root }).map(read).join("\n");

test("every code is given in the sources", () => {
  const given = sources.replace(/export const codes[^;]*;/, "");
  expect(Object.keys(codes).filter((code) => !(code in riskCodes) && !given.includes(`"${code}"`))).toEqual([]);
});

test("every code on a page exists, and has one row of the page of messages at most", () => {
  const shown = globSync("{README.md,docs/**/*.md}", { cwd: root })
    .flatMap((file) => [...read(file).matchAll(/(?<=\w.* )\[([a-z]+(?:-[a-z\d]+)+)\]$/gm)])
    .map(([, code = ""]) => code);
  const listed = [...page.matchAll(/`\[([a-z\d-]+)\]`/g)].map(([, code = ""]) => code);
  expect(listed.length).toBeGreaterThan(15);
  expect([...shown, ...listed].filter((code) => !Object.hasOwn(codes, code))).toEqual([]);
  const rows = [...page.matchAll(/^\| (`\[.*?`) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
  expect(rows.filter((cell, index) => rows.indexOf(cell) !== index)).toEqual([]);
});

test("the release notes name each risk, because a list of `--fail-on` lets a new one pass", () => {
  const notes = read("CHANGELOG.md");
  const names = Object.keys(riskCodes).map((code) => code.replaceAll("-", " "));
  expect(names.filter((risk) => !notes.includes(risk))).toEqual([]);
});
