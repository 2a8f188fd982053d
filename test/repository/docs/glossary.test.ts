/** The glossary of docs/contributing/architecture.md is held against the names that the sources export. */
import { globSync } from "node:fs";
import { read, root } from "../../support/repository";

const [, section = ""] = /^## Words\n.*?^\| -.*?\n(.*?)^## /ms.exec(read("docs/contributing/architecture.md")) ?? [];
const rows = [...section.matchAll(/^\| ([a-z, ]+?) +\| (.+?) +\| ([a-z, ]*?) *\|$/gm)].map(
  ([, words = "", , others = ""]) => ({ words: words.split(", "), others: others.split(", ").filter(Boolean) }),
);

/** What the files declare at their top level. */
const declared = globSync("src/**/*.ts", { cwd: root }).flatMap((file) =>
  [
    ...read(file).matchAll(
      /^(export )?(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm,
    ),
  ].map(([, isExported, name = ""]) => ({ file, name, isExported: isExported !== undefined })),
);

/** "withDoubts" is with, doubts. */
const exported = declared
  .filter(({ isExported }) => isExported)
  .map(({ name }) => ({
    name,
    parts: name
      .replace(/(?<=[a-z\d])[A-Z]/g, " $&")
      .toLowerCase()
      .split(" "),
  }));

/** "retained" names `retains`, and "entry" names `entries`. */
const stemOf = (word: string): string => word.replace(/(?:e[sd]|[esy])$/, "");
const namesWith = (word: string): string[] =>
  exported.filter(({ parts }) => parts.some((part) => part.startsWith(stemOf(word)))).map(({ name }) => name);

test("has at most fifteen rows, each of which explains a word of an exported name", () => {
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.length).toBeLessThanOrEqual(15);
  expect(rows.flatMap(({ words }) => words).filter((word) => namesWith(word).length === 0)).toEqual([]);
});

test("no exported name has a word that the glossary replaces", () => {
  const others = new Set(rows.flatMap(({ others }) => others));
  expect([...others]).toEqual(expect.arrayContaining(["row", "told", "kept"]));
  expect(exported.filter(({ parts }) => parts.some((part) => others.has(part))).map(({ name }) => name)).toEqual([]);
});

/** The classes of both modules, and what a table asks of each of its files: the commands, and the resources' pages. */
const declaredOften = ["Organization", "Provider", "command", "help", "texts"];

test("no two files declare one name at their top level: a name that is looked up has one meaning", () => {
  const generated = /^src\/(?:program\/generated|provider\/dynamic\/(?:providers|[a-z]+-[a-z-]+)\.ts)/;
  const written = Map.groupBy(
    declared.filter(({ file }) => !generated.test(file)),
    ({ name }) => name,
  );
  const often = [...written].filter(([, places]) => new Set(places.map(({ file }) => file)).size > 1);
  expect(often.map(([name]) => name).sort()).toEqual(declaredOften);
});
