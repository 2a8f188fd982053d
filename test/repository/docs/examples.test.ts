/** The READMEs of the examples. test/campaigns and test/engine run what they show. */
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { read, root } from "../../support/docs/documents";

const folders = globSync(["examples/*/README.md", "examples/testing/*/README.md"], { cwd: root }).map(dirname);

test("examples/README.md has a row for every example", () => {
  const rows = [...read("examples/README.md").matchAll(/^\| \[([\w/-]+)\]\(\1\/\)/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(folders.map((folder) => folder.replace("examples/", "")).sort());
});

test.each(folders)("the README of %s ends with the output to expect", (folder) => {
  const text = read(`${folder}/README.md`);
  expect(text.split(/^## /m).at(-1)).toMatch(/^What you will see\n/);
  expect(text).toMatch(/(\n```|\n> .*)\n$/);
});

test("the README of pipelines shows the start of the comment in docs/guides/review-changes-in-pull-requests.md", () => {
  const [, shown = ""] = /\n(> [^]*)$/.exec(read("examples/pipelines/README.md")) ?? [];
  expect(shown).toMatch(/^> ### voiceplane preview: /);
  expect(read("docs/guides/review-changes-in-pull-requests.md")).toContain(shown);
});

const clearing = folders.filter((folder) =>
  globSync("**/*.{ts,yaml,py}", { cwd: `${root}/${folder}` }).some((file) =>
    /cleared: true|"?outboundAuth"?: "?cleared/.test(read(`${folder}/${file}`)),
  ),
);

test("some examples clear a trunk", () => {
  expect(clearing).toContain("examples/minimal");
});

test.each(clearing)("the README of %s warns that nothing can restore what its `up` clears", (folder) => {
  expect(read(`${folder}/README.md`)).toMatch(/clears [^.]*outbound credentials[^]*nothing can restore\s+them/i);
});
